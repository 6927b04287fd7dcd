package dev.ferry.compress;

import java.nio.ByteBuffer;

/** An array that is reused for several messages. */
final class ReusedArray {
  private static final int KEPT_BYTES = 4 << 20;

  private byte[] array = {};

  /** Returns an array of at least this length. Its content is undefined. */
  byte[] atLeast(int length) {
    if (array.length >= length) {
      return array;
    }
    byte[] grown = new byte[length];
    if (length <= KEPT_BYTES) {
      // Do not keep a huge array for an idle codec.
      array = grown;
    }
    return grown;
  }

  /**
   * Returns a buffer with the remaining bytes that is backed by an array: the buffer itself if it
   * is, otherwise a copy.
   */
  ByteBuffer arrayOf(ByteBuffer buffer) {
    if (buffer.hasArray()) {
      return buffer;
    }
    int length = buffer.remaining();
    byte[] copy = atLeast(length);
    buffer.duplicate().get(copy, 0, length);
    return ByteBuffer.wrap(copy, 0, length);
  }
}
