package dev.ferry.core.upload;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The id of an upload that can be continued: 128 random bits, and the caller to whom the upload
 * belongs. Equal bits of two callers are two ids.
 *
 * @param caller the name of the caller; empty in clients, and in servers without callers
 * @param high the first 64 bits
 * @param low the other 64 bits
 */
public record UploadId(String caller, long high, long low) {
  /** Length in bytes. */
  public static final int LENGTH = 2 * Long.BYTES;

  private static final SecureRandom RANDOM = new SecureRandom();

  /** Creates a new id. */
  public static UploadId random() {
    return new UploadId("", RANDOM.nextLong(), RANDOM.nextLong());
  }

  /**
   * Creates an id from its bytes.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} unless there are exactly {@value
   *     #LENGTH}
   */
  public static UploadId of(byte[] bytes) throws FerryException {
    if (bytes.length != LENGTH) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          "an upload id has " + LENGTH + " bytes, this one has " + bytes.length);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new UploadId("", buffer.getLong(), buffer.getLong());
  }

  /**
   * Parses what {@link #toHex} returns.
   *
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} if the text is no id
   */
  public static UploadId parse(String text) throws FerryException {
    try {
      return of(HexFormat.of().parseHex(text));
    } catch (IllegalArgumentException | FerryException e) {
      throw new FerryException(ErrorKind.NOT_FOUND, "no such upload", e);
    }
  }

  /** Returns the id with the same bits of a caller. */
  public UploadId of(String owner) {
    return new UploadId(owner, high, low);
  }

  /** Returns the 16 bytes. */
  public byte[] toBytes() {
    return ByteBuffer.allocate(LENGTH).putLong(high).putLong(low).array();
  }

  /** Returns the bits as 32 lower-case hexadecimal digits. */
  public String toHex() {
    return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
  }

  /** Returns the bits alone, since messages to a caller need no name. */
  @Override
  public String toString() {
    return toHex();
  }
}
