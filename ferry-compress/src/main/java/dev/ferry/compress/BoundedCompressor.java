package dev.ferry.compress;

import java.nio.ByteBuffer;

/** Holds what callers may rely on, whatever the format: room, positions, and the end. */
abstract sealed class BoundedCompressor implements Compressor
    permits GzipCompressor, ZstdCompressor {
  private final CompressionCodec codec;
  private boolean closed;

  /**
   * For subclasses.
   *
   * @param codec knows the bound
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
   * AllCodecs all of the input and keeps neither buffer.
   *
   * @param target has as much room as the bound says, and not a byte more
   */
  abstract void write(ByteBuffer input, ByteBuffer target);

  @Override
  public final void close() {
    if (!closed) {
      closed = true;
      end();
    }
  }

  /** Gives native memory back; called once. */
  abstract void end();
}
