package dev.ferry.suites.own;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.suites.rival.TransferClient;
import dev.ferry.zerocopy.CopyCounters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class OwnMethodTest {
  private static final String HOST = "127.0.0.1";
  private static final TransferOptions OPTIONS = TransferOptions.DEFAULT.withVerify(false);

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Path root;

  @BeforeEach
  void createRoot() throws IOException {
    root = Files.createDirectory(folder.resolve("root"));
  }

  @ParameterizedTest
  @EnumSource
  void transfer_anySize_arrivesWhole(OwnMethod method) throws IOException {
    try (RowServer server = method.serve(root, HOST);
        TransferClient client = method.connect(HOST, server.port())) {
      for (int size : new int[] {0, 1, 65_536, 3_000_000}) {
        for (int chunkSize : new int[] {4096, 65_536, TransferOptions.MAX_CHUNK}) {
          byte[] bytes = new byte[size];
          new Random(size).nextBytes(bytes);
          Path source = Files.write(folder.resolve("source"), bytes);
          Path target = folder.resolve("target");
          TransferOptions options = OPTIONS.withChunkSize(chunkSize);

          Transfer up = client.upload(source, StorePath.parse("file"), options);
          Transfer down = client.download(StorePath.parse("file"), target, options);

          assertThat(root.resolve("file")).binaryContent().isEqualTo(bytes);
          assertThat(target).binaryContent().isEqualTo(bytes);
          assertThat(up.facts().size()).isEqualTo(size);
          assertThat(down.facts().size()).isEqualTo(size);
        }
      }
    }
  }

  @Test
  void transfer_zeroCopy_copiesNoChunk() throws IOException {
    Path source = Files.write(folder.resolve("source"), new byte[3_000_000]);
    CopyCounters.Snapshot before = ZeroCopyBlobs.DATA.copies().snapshot();

    try (RowServer server = OwnMethod.ZERO_COPY.serve(root, HOST);
        TransferClient client = OwnMethod.ZERO_COPY.connect(HOST, server.port())) {
      Transfer unused = client.upload(source, StorePath.parse("file"), OPTIONS.withChunkSize(4096));
    }

    int chunks = 3_000_000 / 4096 + 1;
    CopyCounters.Snapshot after = ZeroCopyBlobs.DATA.copies().snapshot();
    assertThat(after)
        .isEqualTo(
            new CopyCounters.Snapshot(before.handedOff() + chunks, 0, before.viewed() + chunks, 0));
  }

  @ParameterizedTest
  @EnumSource
  void download_missingFile_failsAndLeavesNothing(OwnMethod method) throws IOException {
    try (RowServer server = method.serve(root, HOST);
        TransferClient client = method.connect(HOST, server.port())) {
      Path target = folder.resolve("new");
      FerryException missing =
          catchThrowableOfType(
              FerryException.class, () -> client.download(StorePath.parse("no"), target, OPTIONS));

      assertThat(missing.kind()).isEqualTo(ErrorKind.NOT_FOUND);
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(root);
    }
  }

  @ParameterizedTest
  @EnumSource
  void upload_overAFolder_failsAndLeavesNothing(OwnMethod method) throws IOException {
    Path source = Files.write(folder.resolve("source"), new byte[3_000_000]);
    Files.createDirectory(root.resolve("dir"));
    try (RowServer server = method.serve(root, HOST);
        TransferClient client = method.connect(HOST, server.port())) {
      FerryException refused =
          catchThrowableOfType(
              FerryException.class, () -> client.upload(source, StorePath.parse("dir"), OPTIONS));

      assertThat(refused.kind()).isEqualTo(ErrorKind.INTERNAL);
    }
    try (Stream<Path> files = Files.list(root)) {
      assertThat(files).containsExactly(root.resolve("dir"));
    }
  }
}
