package dev.ferry.compress;

import java.nio.ByteBuffer;
import java.util.zip.Deflater;

/** Deflates by the JDK's zlib, from buffer to buffer. */
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
      // Also lets go of the input.
      deflater.reset();
    }
  }

  @Override
  void end() {
    deflater.end();
  }
}
