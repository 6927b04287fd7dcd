package dev.ferry.compress;

import java.nio.ByteBuffer;

/**
 * Implements the format-independent contract of {@link Decompressor}: checks, buffer positions and
 * closing.
 */
abstract sealed class BoundedDecompressor implements Decompressor
    permits JdkGzipDecompressor, IntelGzipDecompressor, ZstdDecompressor {
  private boolean closed;

  @Override
  public final int decompress(ByteBuffer input, ByteBuffer target)
      throws CorruptDataException, DecompressedTooLargeException {
    if (closed) {
      throw new IllegalStateException("the decompressor is closed");
    }
    if (target.isReadOnly()) {
      // Native code does not check this.
      throw new IllegalArgumentException("the target is read-only");
    }
    ByteBuffer out = target.duplicate();
    read(input.slice(), out);

    int decompressed = out.position() - target.position();
    input.position(input.limit());
    target.position(out.position());
    return decompressed;
  }

  /**
   * Decompresses all of the input. Must not keep a reference to either buffer.
   *
   * @param input starts at position 0, so that messages can name positions in the input
   */
  abstract void read(ByteBuffer input, ByteBuffer target)
      throws CorruptDataException, DecompressedTooLargeException;

  @Override
  public final void close() {
    if (!closed) {
      closed = true;
      end();
    }
  }

  /** Releases native memory. Called once. */
  abstract void end();
}
