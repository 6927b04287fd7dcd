package dev.ferry.compress;

import java.nio.ByteBuffer;

/**
 * Deflate without compression (RFC 1951, 3.2.4): all there is to level 0, and the way out for bytes
 * that would grow. It makes the bound one of arithmetic and not of a library's habits.
 */
final class StoredBlocks {
  private static final int MAX_BLOCK_BYTES = 0xffff;
  private static final int BLOCK_HEADER_BYTES = 5;

  private StoredBlocks() {}

  /** Bytes that a message takes, exactly; one block at least, so that the stream has an end. */
  static long size(int length) {
    long blocks = Math.max(1, ((long) length + MAX_BLOCK_BYTES - 1) / MAX_BLOCK_BYTES);
    return length + blocks * BLOCK_HEADER_BYTES;
  }

  /** Writes all that remains of the input as a complete stream. */
  static void put(ByteBuffer input, ByteBuffer target) {
    int end = input.limit();
    do {
      int length = Math.min(MAX_BLOCK_BYTES, end - input.position());
      input.limit(input.position() + length);
      target.put((byte) (input.limit() == end ? 1 : 0));
      putShort(target, length);
      putShort(target, ~length);
      target.put(input);
    } while (input.position() < end);
  }

  private static void putShort(ByteBuffer target, int value) {
    target.put((byte) value).put((byte) (value >>> 8));
  }
}
