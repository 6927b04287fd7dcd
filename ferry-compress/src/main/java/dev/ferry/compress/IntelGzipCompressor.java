package dev.ferry.compress;

import com.intel.gkl.compression.IntelDeflater;
import java.nio.ByteBuffer;

/**
 * Deflates with Intel GKL at level 1, where it uses ISA-L. From level 3 on, GKL uses zlib.
 *
 * <p>{@link IntelDeflater} does not implement the full contract of {@code Deflater}: it ignores the
 * offset of its input, compresses only whole messages in one call, and does not support buffers.
 * Messages are therefore copied to and from arrays, which are reused. Its superclass holds an
 * unused zlib stream of the JDK, which is released by garbage collection.
 */
final class IntelGzipCompressor extends GzipCompressor {
  static final int LEVEL = 1;

  private final IntelDeflater deflater = new IntelDeflater(LEVEL, true);
  private final ReusedArray plain = new ReusedArray();
  private final ReusedArray compressed = new ReusedArray();

  IntelGzipCompressor() {
    super(CompressionCodec.GZIP_INTEL, LEVEL);
  }

  @Override
  boolean deflate(ByteBuffer input, ByteBuffer target) {
    int length = input.remaining();
    byte[] from = plain.atLeast(length);
    input.get(from, 0, length);
    // If the array has room for stored blocks, ISA-L stores data that it cannot shrink.
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
