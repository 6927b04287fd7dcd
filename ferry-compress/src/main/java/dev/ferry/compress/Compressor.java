package dev.ferry.compress;

import java.nio.ByteBuffer;

/**
 * Compresses messages, each to a separate gzip member (RFC 1952) or zstd frame.
 *
 * <p>Not thread-safe. Holds native memory until it is closed. {@link CompressorPool} handles both.
 */
public interface Compressor extends AutoCloseable {
  /**
   * Returns the maximum compressed size of a message, including headers and checksums.
   *
   * @param length bytes of the message, not negative
   * @throws IllegalArgumentException if the length is negative, or too large for one buffer
   */
  int bound(int length);

  /**
   * Compresses all remaining bytes of the input and advances the positions of both buffers.
   *
   * <p>The buffers may be direct or heap buffers of any byte order, and the input may be read-only.
   * They must not share memory. The compressor keeps no reference to them. If it throws, neither
   * position has changed, and the target's content after its position is undefined.
   *
   * @param target has at least {@link #bound} bytes remaining for the input's remaining bytes
   * @return bytes written
   * @throws IllegalArgumentException if the target has too few bytes remaining
   * @throws IllegalStateException if the compressor is closed
   */
  int compress(ByteBuffer input, ByteBuffer target);

  /** Releases the native memory; idempotent. */
  @Override
  void close();
}
