package dev.ferry.pack;

import java.nio.ByteBuffer;

/** Level 0: no codec at all. */
final class StoredGzipPacker extends GzipPacker {
  StoredGzipPacker() {
    super(PackCodec.GZIP_JDK, 0);
  }

  @Override
  boolean deflate(ByteBuffer input, ByteBuffer target) {
    return false;
  }

  @Override
  void end() {
    // Has nothing native.
  }
}
