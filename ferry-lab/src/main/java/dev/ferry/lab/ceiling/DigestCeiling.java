package dev.ferry.lab.ceiling;

import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Computes a digest of the source from memory on the calling thread. */
final class DigestCeiling implements CeilingOperation.Task {
  private final MappedFile source;
  private final Consumer<ByteBuffer> update;
  private final Supplier<String> finish;
  private final String expected;
  private @Nullable String result;

  private DigestCeiling(
      MappedFile source, Consumer<ByteBuffer> update, Supplier<String> finish, String expected) {
    this.source = source;
    this.update = update;
    this.finish = finish;
    this.expected = expected;
  }

  static DigestCeiling sha256(Workplace workplace) throws IOException {
    MessageDigest digest = newSha256();
    return new DigestCeiling(
        MappedFile.of(workplace.source()),
        digest::update,
        () -> HexFormat.of().formatHex(digest.digest()),
        workplace.sha256().toHex());
  }

  private static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  static DigestCeiling crc32c(Workplace workplace) throws IOException {
    CRC32C crc = new CRC32C();
    return new DigestCeiling(
        MappedFile.of(workplace.source()), crc::update, () -> take(crc), crcOf(workplace.source()));
  }

  private static String take(CRC32C crc) {
    String value = Long.toHexString(crc.getValue());
    crc.reset();
    return value;
  }

  /** Reads the file instead of mapping it, as an independent check. */
  private static String crcOf(Path file) throws IOException {
    CRC32C crc = new CRC32C();
    ByteBuffer buffer = ByteBuffer.allocate(SocketEnd.BUFFER_BYTES);
    try (FileChannel channel = FileChannel.open(file)) {
      while (channel.read(buffer.clear()) >= 0) {
        crc.update(buffer.flip());
      }
    }
    return take(crc);
  }

  @Override
  public void prepare() {
    result = null;
  }

  @Override
  public void run(int operation) {
    int chunks = source.chunks(SocketEnd.BUFFER_BYTES);
    for (int i = 0; i < chunks; i++) {
      update.accept(source.chunk(i, SocketEnd.BUFFER_BYTES));
    }
    result = finish.get();
  }

  @Override
  public void check(int operation) throws IOException {
    if (!expected.equals(result)) {
      throw new IOException("digest is " + result + ", not " + expected);
    }
  }
}
