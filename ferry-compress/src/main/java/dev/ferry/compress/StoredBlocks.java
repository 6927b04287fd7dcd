package dev.ferry.compress;

import java.nio.ByteBuffer;

/**
 * Deflate streams without compression (RFC 1951, 3.2.4), for level 0 and for data that would grow.
 * They make the maximum compressed size independent of any library.
 */
final class StoredBlocks {
  private static final int MAX_BLOCK_BYTES = 0xffff;
  private static final int BLOCK_HEADER_BYTES = 5;

  private StoredBlocks() {}

  /** Exact bytes of a stored message. An empty message needs one block, which ends the stream. */
  static long size(int length) {
    long blocks = Math.max(1, ((long) length + MAX_BLOCK_BYTES - 1) / MAX_BLOCK_BYTES);
    return length + blocks * BLOCK_HEADER_BYTES;
  }

  /** Writes all remaining bytes of the input as a complete deflate stream. */
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
