package dev.ferry.compress;

import com.intel.gkl.compression.IntelDeflater;
import java.nio.ByteBuffer;

/**
 * Deflates by Intel's GKL at level 1, where it is a codec of its own (ISA-L); from level 3 on it is
 * zlib once more.
 *
 * <p>{@link IntelDeflater} is a {@code Deflater} by name only: it ignores the offset of its input,
 * does a whole message in one call or not at all, and knows no buffers. So a message is copied to
 * the start of an array and taken from the start of another, both kept. Its superclass holds a zlib
 * stream of the JDK's that is never used and goes with the garbage.
 */
final class IntelGzipCompressor extends GzipCompressor {
  static final int LEVEL = 1;

  private final IntelDeflater deflater = new IntelDeflater(LEVEL, true);
  private final Scratch plain = new Scratch();
  private final Scratch compressed = new Scratch();

  IntelGzipCompressor() {
    super(CompressionCodec.GZIP_INTEL, LEVEL);
  }

  @Override
  boolean deflate(ByteBuffer input, ByteBuffer target) {
    int length = input.remaining();
    byte[] from = plain.atLeast(length);
    input.get(from, 0, length);
    // Given room for the stored bytes, ISA-L stores what it cannot shrink.
    byte[] to = compressed.atLeast(target.remaining());
    deflater.reset();
    deflater.setInput(from, 0, length);
    deflater.finish();
    int n = deflater.deflate(to, 0, target.remaining());
    if (!deflater.finished()) {
      return false;
    }
    target.put(to, 0, n);
    return true;
  }

  @Override
  void end() {
    deflater.end();
  }
}
