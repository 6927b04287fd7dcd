package dev.ferry.s3;

import java.io.InputStream;
import java.nio.ByteBuffer;

/** Reads a buffer. It can be read again from its mark, as the SDK does to sign and to repeat. */
final class ByteBufferInputStream extends InputStream {
  private final ByteBuffer buffer;

  /**
   * @param buffer its position moves
   */
  ByteBufferInputStream(ByteBuffer buffer) {
    this.buffer = buffer.mark();
  }

  @Override
  public int read() {
    return buffer.hasRemaining() ? buffer.get() & 0xff : -1;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) {
    if (length == 0) {
      return 0;
    }
    int count = Math.min(length, buffer.remaining());
    if (count == 0) {
      return -1;
    }
    buffer.get(bytes, offset, count);
    return count;
  }

  @Override
  public long skip(long bytes) {
    int count = (int) Math.max(0, Math.min(bytes, buffer.remaining()));
    buffer.position(buffer.position() + count);
    return count;
  }

  @Override
  public int available() {
    return buffer.remaining();
  }

  @Override
  public boolean markSupported() {
    return true;
  }

  @Override
  public void mark(int readLimit) {
    buffer.mark();
  }

  @Override
  public void reset() {
    buffer.reset();
  }
}
