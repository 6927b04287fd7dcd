package dev.ferry.compress;

import java.nio.ByteBuffer;

/**
 * Decompresses what a {@link Compressor}, or anybody's program for the same format, has compressed.
 * Trusts nothing that it reads: every length and checksum of the format is verified, and there is
 * never more output than the target takes, whatever the input expands to.
 *
 * <p>For one thread at a time. Holds native memory until it is closed; {@link CompressorPool} sees
 * to both.
 */
public interface Decompressor extends AutoCloseable {
  /**
   * Decompresses all that remains of the input, one or more compressed wholes on end, and advances
   * both buffers past what was read and written.
   *
   * <p>The buffers may be direct or on the heap, the input read-only, and of any byte order; they
   * must not share memory. No reference to them is kept. When it throws, neither position has
   * moved, what stands in the target behind its position is undefined, and the decompressor is as
   * good as before.
   *
   * @return bytes written
   * @throws CorruptDataException if the input is anything but whole and sound
   * @throws DecompressedTooLargeException if the target has less room than the input expands to
   * @throws IllegalStateException if the decompressor is closed
   */
  int decompress(ByteBuffer input, ByteBuffer target)
      throws CorruptDataException, DecompressedTooLargeException;

  /** Gives the native memory back; idempotent. */
  @Override
  void close();
}
