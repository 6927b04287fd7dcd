package dev.ferry.compress;

import java.nio.ByteBuffer;
import java.util.zip.Deflater;

/** Deflates with the JDK's zlib, directly between buffers. */
final class JdkGzipCompressor extends GzipCompressor {
  private final Deflater deflater;

  JdkGzipCompressor(int level) {
    super(CompressionCodec.GZIP_JDK, level);
    deflater = new Deflater(level, true);
  }

  @Override
  boolean deflate(ByteBuffer input, ByteBuffer target) {
    try {
      deflater.setInput(input);
      deflater.finish();
      while (!deflater.finished() && target.hasRemaining()) {
        deflater.deflate(target);
      }
      return deflater.finished();
    } finally {
      // This also releases the reference to the input.
      deflater.reset();
    }
  }

  @Override
  void end() {
    deflater.end();
  }
}
