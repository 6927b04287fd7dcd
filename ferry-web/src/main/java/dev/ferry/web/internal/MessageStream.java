package dev.ferry.web.internal;

import io.grpc.Detachable;
import io.grpc.HasByteBuffer;
import io.grpc.KnownLength;
import io.netty.buffer.ByteBuf;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A received message in the buffers in which it arrived. {@link #close} releases the buffers. */
public final class MessageStream extends InputStream
    implements HasByteBuffer, Detachable, KnownLength {
  private List<ByteBuf> parts;
  private int part;
  private int left;
  private int markedPart;
  private int markedLeft;

  /**
   * Takes ownership of the readable bytes of buffers.
   *
   * @param parts buffers that are not empty
   */
  public MessageStream(List<ByteBuf> parts) {
    this.parts = parts;
    parts.forEach(b -> left += b.readableBytes());
    mark(left);
  }

  @Override
  public int available() {
    return left;
  }

  @Override
  public int read() {
    ByteBuf buffer = current();
    if (buffer == null) {
      return -1;
    }
    left--;
    return buffer.readUnsignedByte();
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    ByteBuf buffer = current();
    if (buffer == null) {
      return length == 0 ? 0 : -1;
    }
    int n = Math.min(length, buffer.readableBytes());
    buffer.readBytes(target, offset, n);
    left -= n;
    return n;
  }

  @Override
  public long skip(long count) {
    long skipped = 0;
    for (ByteBuf buffer = current(); buffer != null && skipped < count; buffer = current()) {
      int n = (int) Math.min(count - skipped, buffer.readableBytes());
      buffer.skipBytes(n);
      left -= n;
      skipped += n;
    }
    return skipped;
  }

  /** Returns the buffer of the next byte; null at the end. */
  private @Nullable ByteBuf current() {
    if (left == 0) {
      return null;
    }
    while (!parts.get(part).isReadable()) {
      part++;
    }
    return parts.get(part);
  }

  @Override
  public boolean markSupported() {
    return true;
  }

  @Override
  public void mark(int readLimit) {
    for (int i = part; i < parts.size(); i++) {
      parts.get(i).markReaderIndex();
    }
    markedPart = part;
    markedLeft = left;
  }

  @Override
  public void reset() {
    for (int i = markedPart; i < parts.size(); i++) {
      parts.get(i).resetReaderIndex();
    }
    part = markedPart;
    left = markedLeft;
  }

  @Override
  public boolean byteBufferSupported() {
    return true;
  }

  @Override
  public @Nullable ByteBuffer getByteBuffer() {
    ByteBuf buffer = current();
    if (buffer == null) {
      return null;
    }
    // Returns the first view if there are several, as for a frame that took several reads. The
    // caller requests the others in turn.
    return buffer.nioBufferCount() == 1 ? buffer.nioBuffer() : firstOf(buffer.nioBuffers());
  }

  private static ByteBuffer firstOf(ByteBuffer[] views) {
    int i = 0;
    while (!views[i].hasRemaining()) {
      i++;
    }
    return views[i];
  }

  @Override
  public InputStream detach() {
    MessageStream detached = new MessageStream(parts);
    parts = List.of();
    left = 0;
    return detached;
  }

  @Override
  public void close() {
    parts.forEach(ByteBuf::release);
    parts = List.of();
    left = 0;
  }
}
