package dev.ferry.core.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FuzzTarget;
import dev.ferry.core.Fuzzing;
import dev.ferry.core.TestFiles;
import dev.ferry.core.internal.UploadNames;
import dev.ferry.core.upload.KeptUpload;
import dev.ferry.core.upload.UploadPart;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The folder of uploads, as a process may leave it that was killed, whose disk has failed, or that
 * means harm: the store opens, and changes nothing but what the record names.
 */
final class UploadRecordFuzzTest implements FuzzTarget {
  private static final byte[] BYTES = {1, 2, 3};

  @Override
  public void parse(byte[] input) throws Exception {
    Path folder = Fuzzing.emptyFolder("records");
    Path root = Files.createDirectories(folder.resolve("root"));
    Path uploads = Files.createDirectory(root.resolve(PartialUploads.FOLDER));
    Path file = uploads.resolve("0.record");
    // Half of all inputs are entries with a checksum that is right.
    Files.write(file, input.length > 0 && input[0] % 2 == 0 ? entries(input) : input);
    UploadRecord record = UploadRecord.read(file);
    if (record == null) {
      assertThat(LocalFileStore.open(root).root()).isNotNull();
      return;
    }
    assertThat(UploadRecord.read(written(folder, record))).isEqualTo(record);
    String stem = UploadNames.of(record.id());
    Files.move(file, uploads.resolve(stem + ".record"));
    Files.write(uploads.resolve(stem + ".bytes"), BYTES);
    goOn(LocalFileStore.open(root), record);
    assertThat(TestFiles.tree(folder))
        .filteredOn(name -> !name.startsWith("root/"))
        .containsExactly("written");
  }

  /** Returns entries with the parts of an input, each behind the byte that has its length. */
  private static byte[] entries(byte[] input) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    ByteBuffer in = ByteBuffer.wrap(input, 1, input.length - 1);
    while (in.hasRemaining()) {
      byte[] payload = new byte[Math.min(in.get() & 0xFF, in.remaining())];
      in.get(payload);
      CRC32C crc = new CRC32C();
      crc.update(payload);
      all.writeBytes(
          ByteBuffer.allocate(8 + payload.length)
              .putInt(payload.length)
              .putInt((int) crc.getValue())
              .put(payload)
              .array());
    }
    return all.toByteArray();
  }

  private static Path written(Path folder, UploadRecord record) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(record.begin().array());
    FileFacts named = record.named();
    if (named != null) {
      bytes.writeBytes(UploadRecord.named(named).array());
    }
    return Files.write(folder.resolve("written"), bytes.toByteArray());
  }

  private static void goOn(LocalFileStore store, UploadRecord record) throws IOException {
    KeptUpload kept = status(store, record);
    if (kept == null) {
      return;
    }
    assertThat(kept.path()).isEqualTo(record.path());
    long received = kept.status().received();
    UploadPart part = new UploadPart(record.id(), received, record.size(), true, record.digest());
    try (FileSink sink = store.create(record.path(), record.create().withUpload(part))) {
      assertThat(sink.commit(received, null).size()).isEqualTo(BYTES.length);
      assertThat(Files.readAllBytes(store.root().resolve(record.path().value()))).isEqualTo(BYTES);
    } catch (FerryException e) {
      assertThat(e.kind()).isNotEqualTo(ErrorKind.INTERNAL);
    }
  }

  private static @Nullable KeptUpload status(LocalFileStore store, UploadRecord record) {
    try {
      return store.upload(record.id());
    } catch (FerryException e) {
      assertThat(e.kind()).isEqualTo(ErrorKind.NOT_FOUND);
      return null;
    }
  }
}
