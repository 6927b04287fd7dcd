package dev.ferry.compress;

import java.nio.ByteBuffer;

/**
 * Decompresses the output of a {@link Compressor}, or of any other program for the same format. It
 * does not trust its input: it verifies every length and checksum of the format, and never writes
 * beyond the target's limit.
 *
 * <p>Not thread-safe. Holds native memory until it is closed. {@link CompressorPool} handles both.
 */
public interface Decompressor extends AutoCloseable {
  /**
   * Decompresses all remaining bytes of the input, which are one or more complete gzip members or
   * zstd frames, and advances the positions of both buffers.
   *
   * <p>The buffers may be direct or heap buffers of any byte order, and the input may be read-only.
   * They must not share memory. The decompressor keeps no reference to them. If it throws, neither
   * position has changed, the target's content after its position is undefined, and the
   * decompressor remains usable.
   *
   * @return bytes written
   * @throws CorruptDataException if the input is damaged, truncated, or not in the format
   * @throws DecompressedTooLargeException if the decompressed data does not fit into the target
   * @throws IllegalStateException if the decompressor is closed
   */
  int decompress(ByteBuffer input, ByteBuffer target)
      throws CorruptDataException, DecompressedTooLargeException;

  /** Releases the native memory; idempotent. */
  @Override
  void close();
}
