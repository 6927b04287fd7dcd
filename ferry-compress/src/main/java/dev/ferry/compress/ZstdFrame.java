package dev.ferry.compress;

import com.github.luben.zstd.Zstd;
import java.nio.ByteBuffer;
import java.util.OptionalLong;

/** Reads headers of zstd frames (RFC 8878) without decompressing. */
final class ZstdFrame {
  private static final int MAGIC = 0xfd2fb528;
  private static final int SKIPPABLE_MAGIC = 0x184d2a50;
  private static final int SKIPPABLE_MASK = 0xfffffff0;
  private static final int MAX_HEADER_BYTES = 18;
  private static final int BLOCK_BYTES = 128 << 10;

  private ZstdFrame() {}

  /**
   * The formula of ZSTD_COMPRESSBOUND in zstd.h. With this much room, compressing in one call
   * succeeds.
   */
  static long mostBytes(int length) {
    long small = length < BLOCK_BYTES ? (BLOCK_BYTES - length) >> 11 : 0;
    return (long) length + (length >> 8) + small;
  }

  /**
   * Checks the magic number. The library also reads legacy formats with old code that has no
   * checksums; they are rejected.
   */
  static void checkMagic(ByteBuffer in) throws CorruptDataException {
    if (in.remaining() < Integer.BYTES) {
      throw corrupt("it ends in the middle of a frame");
    }
    int magic = 0;
    for (int i = Integer.BYTES - 1; i >= 0; i--) {
      magic = magic << Byte.SIZE | (in.get(in.position() + i) & 0xff);
    }
    if (magic != MAGIC && (magic & SKIPPABLE_MASK) != SKIPPABLE_MAGIC) {
      throw corrupt("no frame begins at byte " + in.position());
    }
  }

  static OptionalLong decompressedSize(ByteBuffer compressed) throws CorruptDataException {
    CompressionCodec.ZSTD.mustBeAvailable();
    ByteBuffer in = compressed.slice();
    checkMagic(in);
    byte[] head = new byte[Math.min(MAX_HEADER_BYTES, in.remaining())];
    in.get(head);
    long size = Zstd.getFrameContentSize(head, 0, head.length, false);
    if (size < -1) {
      throw corrupt("it ends in the middle of a frame");
    }
    return size < 0 ? OptionalLong.empty() : OptionalLong.of(size);
  }

  static CorruptDataException corrupt(String why) {
    return new CorruptDataException("corrupt zstd: " + why);
  }
}
