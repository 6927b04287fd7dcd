package dev.ferry.wire.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadPart;
import dev.ferry.wire.RequestListener;
import dev.ferry.wire.ServedRequest.CarrierName;
import dev.ferry.wire.ServedRequest.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileOperationsTest {
  private static final StorePath FILE = new StorePath("file");

  @TempDir Path root;

  private static FileOperations of(FileStore store) {
    RunningRequest request =
        new Requests(RequestListener.NONE).begin(CarrierName.GRPC, Operation.OTHER, null, null);
    return new FileOperations(store, request, Runnable::run, new LargeDigests());
  }

  @Test
  void create_restWhereNoUploadIsKept_isRefusedAndLeavesNothing() throws IOException {
    FileStore forgetful =
        new ForwardingStore(LocalFileStore.open(root)) {
          @Override
          public FileSink create(StorePath path, CreateOptions options) throws FerryException {
            return super.create(path, options.withUpload(null));
          }
        };
    UploadPart part = new UploadPart(UploadId.random(), 5, 10);
    FerryException refused =
        catchThrowableOfType(
            FerryException.class,
            () -> of(forgetful).create(FILE, CreateOptions.DEFAULT.withUpload(part), 10));
    assertThat(refused.kind()).isEqualTo(ErrorKind.OFFSET_MISMATCH);
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void open_sendingThatFails_closesTheFile() throws Exception {
    Files.write(root.resolve("file"), new byte[10]);
    FileSource[] opened = new FileSource[1];
    FileOperations files = of(LocalFileStore.open(root));
    assertThatThrownBy(
            () ->
                files.open(
                    FILE,
                    source -> {
                      opened[0] = source;
                      throw new IllegalStateException("not this one");
                    }))
        .hasMessage("not this one");
    assertThat(opened[0].facts().size()).isEqualTo(10);
    TestFiles.awaitNothingOpen(root);
  }
}
