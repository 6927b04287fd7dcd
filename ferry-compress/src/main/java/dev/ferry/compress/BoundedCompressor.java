package dev.ferry.compress;

import java.nio.ByteBuffer;

/**
 * Implements the format-independent contract of {@link Compressor}: bounds checks, buffer positions
 * and closing.
 */
abstract sealed class BoundedCompressor implements Compressor
    permits GzipCompressor, ZstdCompressor {
  private final CompressionCodec codec;
  private boolean closed;

  /**
   * Creates a compressor.
   *
   * @param codec computes the bound
   */
  BoundedCompressor(CompressionCodec codec) {
    this.codec = codec;
  }

  @Override
  public final int bound(int length) {
    return codec.bound(length);
  }

  @Override
  public final int compress(ByteBuffer input, ByteBuffer target) {
    if (closed) {
      throw new IllegalStateException("the compressor is closed");
    }
    int length = input.remaining();
    int bound = bound(length);
    if (target.remaining() < bound) {
      throw new IllegalArgumentException(
          "the target has room for "
              + target.remaining()
              + " bytes, "
              + length
              + " bytes can take "
              + bound);
    }
    if (target.isReadOnly()) {
      throw new IllegalArgumentException("the target is read-only");
    }
    ByteBuffer out = target.duplicate().limit(target.position() + bound);
    write(input.duplicate(), out);

    int compressed = out.position() - target.position();
    input.position(input.limit());
    target.position(out.position());
    return compressed;
  }

  /**
   * Compresses all of the input. Must not keep a reference to either buffer.
   *
   * @param target has exactly as many remaining bytes as the bound
   */
  abstract void write(ByteBuffer input, ByteBuffer target);

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
