package dev.ferry.compress;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** The header and trailer of a gzip member (RFC 1952). */
final class GzipMember {
  /** Bytes of the header that a {@link Compressor} writes. */
  static final int HEADER_BYTES = 10;

  /** Bytes of the trailer: CRC-32 and length. */
  static final int TRAILER_BYTES = 8;

  private static final int MAGIC_1 = 0x1f;
  private static final int MAGIC_2 = 0x8b;
  private static final int UNKNOWN_OS = 0xff;
  private static final int FLAG_HEADER_CRC = 2;
  private static final int FLAG_EXTRA = 4;
  private static final int FLAG_NAME = 8;
  private static final int FLAG_COMMENT = 16;
  private static final int RESERVED_FLAGS = 0xe0;

  private GzipMember() {}

  /**
   * Returns the decompressed size, modulo 2<sup>32</sup>, that the last member states. It is a hint
   * for allocating a buffer; it is verified only by decompressing. If there is one member, it is
   * the size of the whole.
   *
   * @param compressed read from its position to its limit; its position does not change
   * @throws CorruptDataException if fewer bytes remain than the header and the trailer of a member
   */
  static long decompressedSize(ByteBuffer compressed) throws CorruptDataException {
    if (compressed.remaining() < HEADER_BYTES + TRAILER_BYTES) {
      throw tooShort(compressed.remaining());
    }
    return Integer.toUnsignedLong(getInt(compressed, compressed.limit() - Integer.BYTES));
  }

  /** Size of a member with stored blocks, which is the longest that is ever written. */
  static long mostBytes(int length) {
    return HEADER_BYTES + StoredBlocks.size(length) + TRAILER_BYTES;
  }

  private static CorruptDataException tooShort(int length) {
    return new CorruptDataException(
        "corrupt gzip: "
            + length
            + " bytes are too few for a member, which has at least "
            + (HEADER_BYTES + TRAILER_BYTES));
  }

  static CorruptDataException corrupt(String why) {
    return new CorruptDataException("corrupt gzip: " + why);
  }

  static void putHeader(ByteBuffer target, int level) {
    int effort = level == Deflater.BEST_SPEED ? 4 : level == Deflater.BEST_COMPRESSION ? 2 : 0;
    target.put((byte) MAGIC_1).put((byte) MAGIC_2).put((byte) Deflater.DEFLATED);
    for (int i = 3; i < HEADER_BYTES - 2; i++) {
      target.put((byte) 0); // no flags, no time
    }
    target.put((byte) effort).put((byte) UNKNOWN_OS);
  }

  static void putTrailer(ByteBuffer target, CRC32 crc, int length) {
    putInt(target, (int) crc.getValue());
    putInt(target, length);
  }

  /** Verifies a header and moves the position to the first byte of the deflate stream. */
  static void skipHeader(ByteBuffer in) throws CorruptDataException {
    int start = in.position();
    need(in, HEADER_BYTES);
    if (unsigned(in.get()) != MAGIC_1 || unsigned(in.get()) != MAGIC_2) {
      throw corrupt("no header begins at byte " + start);
    }
    int method = unsigned(in.get());
    if (method != Deflater.DEFLATED) {
      throw corrupt("unknown method " + method);
    }
    int flags = unsigned(in.get());
    if ((flags & RESERVED_FLAGS) != 0) {
      throw corrupt("reserved flags are set in " + flags);
    }
    in.position(start + HEADER_BYTES);
    if ((flags & FLAG_EXTRA) != 0) {
      int length = getShort(in);
      need(in, length);
      in.position(in.position() + length);
    }
    if ((flags & FLAG_NAME) != 0) {
      skipText(in);
    }
    if ((flags & FLAG_COMMENT) != 0) {
      skipText(in);
    }
    if ((flags & FLAG_HEADER_CRC) != 0) {
      CRC32 crc = new CRC32();
      crc.update(in.duplicate().limit(in.position()).position(start));
      if (getShort(in) != (crc.getValue() & 0xffff)) {
        throw corrupt("the header's checksum does not match");
      }
    }
  }

  /** Verifies a trailer and moves the position past it. */
  static void checkTrailer(ByteBuffer in, CRC32 crc, int length) throws CorruptDataException {
    need(in, TRAILER_BYTES);
    if (!trailerMatches(in, crc, length)) {
      boolean sameCrc = getInt(in, in.position()) == (int) crc.getValue();
      throw corrupt(sameCrc ? "the length does not match" : "the CRC-32 does not match");
    }
    in.position(in.position() + TRAILER_BYTES);
  }

  /** Whether the trailer at the position matches. Does not move the position. */
  static boolean trailerMatches(ByteBuffer in, CRC32 crc, int length) {
    return getInt(in, in.position()) == (int) crc.getValue()
        && getInt(in, in.position() + Integer.BYTES) == length;
  }

  static CorruptDataException truncated() {
    return corrupt("it ends in the middle of a member");
  }

  private static void skipText(ByteBuffer in) throws CorruptDataException {
    do {
      need(in, 1);
    } while (in.get() != 0);
  }

  private static void need(ByteBuffer in, int bytes) throws CorruptDataException {
    if (in.remaining() < bytes) {
      throw truncated();
    }
  }

  private static int getShort(ByteBuffer in) throws CorruptDataException {
    need(in, Short.BYTES);
    return unsigned(in.get()) | unsigned(in.get()) << 8;
  }

  /** Reads little-endian, independently of the buffer's byte order. */
  private static int getInt(ByteBuffer in, int index) {
    return unsigned(in.get(index))
        | unsigned(in.get(index + 1)) << 8
        | unsigned(in.get(index + 2)) << 16
        | unsigned(in.get(index + 3)) << 24;
  }

  private static void putInt(ByteBuffer target, int value) {
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      target.put((byte) (value >>> shift));
    }
  }

  private static int unsigned(byte b) {
    return b & 0xff;
  }
}
