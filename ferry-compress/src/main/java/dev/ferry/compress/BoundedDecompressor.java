package dev.ferry.compress;

import java.nio.ByteBuffer;

/** Holds what callers may rely on, whatever the format: room, positions, and the end. */
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
      // Native code would not notice.
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
   * Decompresses all of the input and keeps neither buffer.
   *
   * @param input begins at its byte 0, so that its positions can be named in messages
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

  /** Gives native memory back; called once. */
  abstract void end();
}
