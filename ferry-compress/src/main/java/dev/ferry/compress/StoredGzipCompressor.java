package dev.ferry.compress;

import java.nio.ByteBuffer;

/** Level 0: writes stored blocks without a library. */
final class StoredGzipCompressor extends GzipCompressor {
  StoredGzipCompressor() {
    super(CompressionCodec.GZIP_JDK, 0);
  }

  @Override
  boolean deflate(ByteBuffer input, ByteBuffer target) {
    return false;
  }

  @Override
  void end() {
    // No native memory to release.
  }
}
