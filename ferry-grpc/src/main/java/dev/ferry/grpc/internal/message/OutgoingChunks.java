package dev.ferry.grpc.internal.message;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of an outgoing chunk as grpc-java's framer reads them.
 *
 * <p>The framer calls {@link #available}, requests a buffer for the message and its prefix from the
 * allocator of the channel, writes the prefix and calls {@link #drainTo}, whose result it trusts
 * (io.grpc.internal.MessageFramer). Therefore {@code available} arms the {@link HandOffAllocator}
 * with the buffer of the chunk, and the allocator returns that buffer to the framer. {@code
 * drainTo} then only moves the writer index over the bytes of the chunk and of the complete
 * messages that follow it. If the framer requested another buffer or none, a single chunk is
 * copied.
 */
final class HandOffStream extends InputStream implements KnownLength, Drainable, HandOff {
  private final ZeroCopyMessage.Outgoing message;
  private final HandOffAllocator allocator;
  private final int end;
  private int position = HandOffAllocator.PREFIX;
  private @Nullable ByteBuf handedOff;

  HandOffStream(ZeroCopyMessage.Outgoing message, HandOffAllocator allocator) {
    this.message = message;
    this.allocator = allocator;
    this.end = HandOffAllocator.PREFIX + message.firstLength();
  }

  @Override
  public int available() {
    if (message.frame() == null) {
      return 0;
    }
    if (position == HandOffAllocator.PREFIX) {
      // Arms here and not in stream(): a delayed call is drained on another thread than it was sent
      // on.
      allocator.arm(this, end);
    }
    return end - position;
  }

  @Override
  public ByteBuf handOff() {
    ByteBuf frame = owned();
    message.givenAway();
    handedOff = frame;
    return frame;
  }

  @Override
  public int drainTo(OutputStream target) throws IOException {
    allocator.disarm(this);
    ByteBuf frame = handedOff;
    if (frame != null) {
      if (frame.writerIndex() != HandOffAllocator.PREFIX) {
        throw new IllegalStateException(
            "the framer wrote " + frame.writerIndex() + " bytes before the message");
      }
      frame.writerIndex(frame.capacity());
      allocator.counters().handedOff(message.messages());
      handedOff = null;
      return message.firstLength();
    }
    frame = startReading();
    int n = end - position;
    frame.getBytes(position, target, n);
    position += n;
    return n;
  }

  @Override
  public int read() {
    ByteBuf frame = startReading();
    return position == end ? -1 : frame.getByte(position++) & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    ByteBuf frame = startReading();
    if (length == 0) {
      return 0;
    }
    int n = Math.min(end - position, length);
    if (n == 0) {
      return -1;
    }
    frame.getBytes(position, target, offset, n);
    position += n;
    return n;
  }

  private ByteBuf startReading() {
    if (position == HandOffAllocator.PREFIX) {
      if (message.messages() > 1) {
        throw new IllegalStateException("several messages at once can only be handed off");
      }
      allocator.disarm(this);
      allocator.counters().copiedOut();
    }
    return owned();
  }

  private ByteBuf owned() {
    ByteBuf frame = message.frame();
    if (frame == null) {
      throw new IllegalStateException("the buffer was given away already");
    }
    return frame;
  }

  @Override
  public void close() {
    allocator.disarm(this);
    message.release();
  }
}
