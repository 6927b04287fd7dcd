package dev.ferry.core;

import dev.ferry.core.internal.ChannelReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * CRC-32C (RFC 9260, appendix A) of a whole, unencoded file.
 *
 * @param value the checksum; as bytes, in network order
 */
public record Crc32c(int value) implements Digest {
  /** Digest length in bytes. */
  public static final int LENGTH = Integer.BYTES;

  /**
   * Creates a digest from four bytes in network order.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} unless there are exactly four
   */
  public static Crc32c of(byte[] digest) throws FerryException {
    if (digest.length != LENGTH) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          "a CRC-32C digest has " + LENGTH + " bytes, this one has " + digest.length);
    }
    return new Crc32c(ByteBuffer.wrap(digest).getInt());
  }

  /** Returns the current value of a computation. */
  public static Crc32c of(CRC32C running) {
    return new Crc32c((int) running.getValue());
  }

  static Crc32c ofChannel(FileChannel channel) throws IOException {
    CRC32C crc = new CRC32C();
    new ChannelReader().read(channel, 0, Long.MAX_VALUE, crc::update);
    return of(crc);
  }

  /** Computes the checksum of the first bytes of a file, or of all if it has no more. */
  public static Crc32c ofFirst(Path file, long bytes) throws IOException {
    CRC32C crc = new CRC32C();
    try (FileChannel channel = FileChannel.open(file)) {
      new ChannelReader().read(channel, 0, bytes, crc::update);
    }
    return of(crc);
  }

  @Override
  public Algorithm algorithm() {
    return Algorithm.CRC32C;
  }

  @Override
  public byte[] toBytes() {
    return ByteBuffer.allocate(LENGTH).putInt(value).array();
  }

  /** Returns the digest as eight lower-case hexadecimal digits. */
  @Override
  public String toHex() {
    return HexFormat.of().toHexDigits(value);
  }

  /** Written out, as is {@link #hashCode}: that of a record is linked at run time, 4 ms. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Crc32c crc && crc.value == value;
  }

  @Override
  public int hashCode() {
    return value;
  }

  @Override
  public String toString() {
    return toHex();
  }
}
