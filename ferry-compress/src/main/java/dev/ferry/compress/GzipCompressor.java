package dev.ferry.compress;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/** Writes a gzip member whose deflate stream a subclass produces. */
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
   * Deflates all of the input, which is not empty. Must not keep a reference to either buffer.
   *
   * @param target has exactly as many remaining bytes as the {@linkplain StoredBlocks#size stored}
   *     input needs
   * @return whether the deflate stream fits into the target; if not, the written bytes are
   *     discarded
   */
  abstract boolean deflate(ByteBuffer input, ByteBuffer target);
}
