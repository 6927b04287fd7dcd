package dev.ferry.compress;

import java.nio.ByteBuffer;

/** An array that is kept from one message to the next. */
final class Scratch {
  private static final int KEPT_BYTES = 4 << 20;

  private byte[] array = {};

  /** At least that many bytes; what is in them is left over from before. */
  byte[] atLeast(int length) {
    if (array.length >= length) {
      return array;
    }
    byte[] grown = new byte[length];
    if (length <= KEPT_BYTES) {
      // One huge message does not fix what an idle codec holds.
      array = grown;
    }
    return grown;
  }

  /** What remains of a buffer, in an array: its own if it shows one, otherwise copied. */
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
