package dev.ferry.compress;

import java.nio.ByteBuffer;

/**
 * AllCodecs one message after the other, each into a whole of its own: a gzip member (RFC 1952) or
 * what the codec has for it.
 *
 * <p>For one thread at a time. Holds native memory until it is closed; {@link CompressorPool} sees
 * to both.
 */
public interface Compressor extends AutoCloseable {
  /**
   * The most bytes that a message can take when it is compressed, headers and checksums included.
   *
   * @param length bytes of the message, not negative
   * @throws IllegalArgumentException if the length is negative, or too large for one buffer
   */
  int bound(int length);

  /**
   * AllCodecs all that remains of the input and advances both buffers past what was read and
   * written.
   *
   * <p>The buffers may be direct or on the heap, the input read-only, and of any byte order; they
   * must not share memory. No reference to them is kept. When it throws, neither position has
   * moved, and what stands in the target behind its position is undefined.
   *
   * @param target has room for at least {@link #bound} of the input's remaining bytes
   * @return bytes written
   * @throws IllegalArgumentException if the target has less room than that
   * @throws IllegalStateException if the compressor is closed
   */
  int compress(ByteBuffer input, ByteBuffer target);

  /** Gives the native memory back; idempotent. */
  @Override
  void close();
}
