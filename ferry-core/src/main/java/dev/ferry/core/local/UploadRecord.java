package dev.ferry.core.local;

import dev.ferry.core.Crc32c;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.FileFacts;
import dev.ferry.core.Sha256;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.KernelFile;
import dev.ferry.core.upload.UploadId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What a store writes down of an upload that can be continued. Its file has an entry from when the
 * upload begins, another one from before the complete file gets its name, and a last one with the
 * version that the file has from then on. Each entry has its length and its CRC-32C, so that an
 * entry that was cut off or damaged counts as not written.
 *
 * @param id the upload and its caller
 * @param path the file that it creates
 * @param create the conditions of its first request
 * @param size bytes of the whole file; negative if they are not known
 * @param digest the digest of the whole file that its first request stated; null if it stated none
 * @param boot identifies the run of the operating system in which the upload began; empty if
 *     unknown
 * @param named the facts of the file if it is about to get its name, or has it; null before
 */
record UploadRecord(
    UploadId id,
    StorePath path,
    CreateOptions create,
    long size,
    @Nullable Digest digest,
    String boot,
    @Nullable FileFacts named) {
  /** The identifier of the running operating system. */
  static final String THIS_BOOT = readBoot();

  private static final int FORMAT = 3;
  private static final long NO_TIME = Long.MIN_VALUE;
  private static final short NO_MODE = -1;

  /** Bytes of a record at most. A path has some thousands. */
  private static final int MOST_BYTES = 64 * 1024;

  private static final int PREFIX = 2 * Integer.BYTES;

  /** Writes the fields of an entry. */
  @FunctionalInterface
  private interface Fields {
    void write(DataOutputStream out) throws IOException;
  }

  private static String readBoot() {
    try {
      return KernelFile.read(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    } catch (IOException e) {
      // Not Linux: all starts of the machine count as one.
      return "";
    }
  }

  UploadRecord withNamed(FileFacts facts) {
    return new UploadRecord(id, path, create, size, digest, boot, facts);
  }

  /** Returns the first entry of the file. */
  ByteBuffer begin() throws IOException {
    return entry(
        out -> {
          out.writeByte(FORMAT);
          out.writeUTF(id.caller());
          out.write(id.toBytes());
          out.writeUTF(path.value());
          out.writeBoolean(create.createOnly());
          out.writeBoolean(create.makeParents());
          writeNullable(out, create.replaced());
          Instant lastModified = create.lastModified();
          out.writeLong(lastModified == null ? NO_TIME : lastModified.toEpochMilli());
          writeMode(out, create.mode());
          writeMode(out, create.folderMode());
          out.writeLong(size);
          out.writeUTF(boot);
          writeDigest(out, digest);
        });
  }

  /** Returns the entry of the facts that the file will have under its name, or has. */
  static ByteBuffer named(FileFacts facts) throws IOException {
    return entry(
        out -> {
          out.writeLong(facts.size());
          out.writeLong(facts.lastModified().toEpochMilli());
          writeNullable(out, facts.version());
          writeMode(out, facts.mode());
          writeDigest(out, facts.digests().isEmpty() ? null : facts.digests().get(0));
        });
  }

  private static void writeMode(DataOutputStream out, @Nullable Integer mode) throws IOException {
    out.writeShort(mode == null ? NO_MODE : mode);
  }

  private static @Nullable Integer readMode(DataInputStream in) throws IOException {
    short mode = in.readShort();
    return mode == NO_MODE ? null : (Integer) (int) mode;
  }

  /** Writes the last field of an entry. */
  private static void writeDigest(DataOutputStream out, @Nullable Digest digest)
      throws IOException {
    writeNullable(out, digest == null ? null : digest.algorithm().name());
    out.write(digest == null ? new byte[0] : digest.toBytes());
  }

  private static ByteBuffer entry(Fields fields) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    fields.write(new DataOutputStream(bytes));
    byte[] payload = bytes.toByteArray();
    return ByteBuffer.allocate(PREFIX + payload.length)
        .putInt(payload.length)
        .putInt(crc(payload))
        .put(payload)
        .flip();
  }

  private static int crc(byte[] payload) {
    CRC32C crc = new CRC32C();
    crc.update(payload);
    return (int) crc.getValue();
  }

  private static void writeNullable(DataOutputStream out, @Nullable String text)
      throws IOException {
    out.writeBoolean(text != null);
    if (text != null) {
      out.writeUTF(text);
    }
  }

  /** Reads a record; null if it has no sound first entry. */
  static @Nullable UploadRecord read(Path file) throws IOException {
    if (Files.size(file) > MOST_BYTES) {
      return null;
    }
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    try {
      DataInputStream first = next(bytes);
      if (first == null || first.readByte() != FORMAT) {
        return null;
      }
      UploadRecord record = begun(first);
      for (DataInputStream entry = next(bytes); entry != null; entry = next(bytes)) {
        record = record.withNamed(facts(record.path(), entry));
      }
      return record;
    } catch (IOException | IllegalArgumentException e) {
      // An entry of a later version, whose checksum is right.
      return null;
    }
  }

  /** Returns the next entry; null if there is none, or it is not sound. */
  private static @Nullable DataInputStream next(ByteBuffer bytes) {
    if (bytes.remaining() < PREFIX) {
      return null;
    }
    int length = bytes.getInt();
    int crc = bytes.getInt();
    if (length < 0 || length > bytes.remaining()) {
      return null;
    }
    byte[] payload = new byte[length];
    bytes.get(payload);
    return crc(payload) == crc ? new DataInputStream(new ByteArrayInputStream(payload)) : null;
  }

  private static UploadRecord begun(DataInputStream in) throws IOException {
    String caller = in.readUTF();
    UploadId id = UploadId.of(in.readNBytes(UploadId.LENGTH)).of(caller);
    StorePath path = StorePath.parse(in.readUTF());
    CreateOptions create =
        new CreateOptions(in.readBoolean(), in.readBoolean()).withReplaced(readNullable(in));
    long modified = in.readLong();
    create = create.withMode(readMode(in)).withFolderMode(readMode(in));
    long size = in.readLong();
    String boot = in.readUTF();
    CreateOptions dated =
        modified == NO_TIME ? create : create.withLastModified(Instant.ofEpochMilli(modified));
    return new UploadRecord(id, path, dated, size, readDigest(in), boot, null);
  }

  private static FileFacts facts(StorePath path, DataInputStream in) throws IOException {
    long size = in.readLong();
    Instant lastModified = Instant.ofEpochMilli(in.readLong());
    String version = readNullable(in);
    Integer mode = readMode(in);
    return new FileFacts(path.value(), size, lastModified, false, null)
        .withMode(mode)
        .withVersion(version)
        .withDigest(readDigest(in));
  }

  private static @Nullable Digest readDigest(DataInputStream in) throws IOException {
    String algorithm = readNullable(in);
    byte[] bytes = in.readAllBytes();
    if (algorithm == null) {
      return null;
    }
    return switch (Digest.Algorithm.valueOf(algorithm)) {
      case CRC32C -> Crc32c.of(bytes);
      case SHA256 -> Sha256.of(bytes);
    };
  }

  private static @Nullable String readNullable(DataInputStream in) throws IOException {
    return in.readBoolean() ? in.readUTF() : null;
  }
}
