package dev.ferry.compress;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/** Frames a gzip member around what a codec deflates. */
abstract sealed class GzipCompressor extends BoundedCompressor
    permits StoredGzipCompressor, JdkGzipCompressor, IntelGzipCompressor {
  private final int level;
  private final CRC32 crc = new CRC32();

  GzipCompressor(CompressionCodec codec, int level) {
    super(codec);
    this.level = level;
  }

  @Override
  final void write(ByteBuffer input, ByteBuffer target) {
    int length = input.remaining();
    int end = target.limit();
    GzipMember.putHeader(target, level);
    int body = target.position();
    target.limit(end - GzipMember.TRAILER_BYTES);
    if (length == 0 || !deflate(input.duplicate(), target)) {
      StoredBlocks.put(input.duplicate(), target.position(body));
    }
    crc.reset();
    crc.update(input);
    GzipMember.putTrailer(target.limit(end), crc, length);
  }

  /**
   * Deflates all of the input, which is not empty, and keeps neither buffer.
   *
   * @param target has room for the {@linkplain StoredBlocks#size stored} input, and not a byte more
   * @return whether it fitted; if not, what was written does not count
   */
  abstract boolean deflate(ByteBuffer input, ByteBuffer target);
}
