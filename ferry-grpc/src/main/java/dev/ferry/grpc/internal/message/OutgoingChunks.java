package dev.ferry.grpc.internal.message;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Chunks to send, in wire format in one buffer. grpc-java's framer reads them as one message, the
 * first. The others are complete messages behind it, each with its prefix.
 *
 * <p>The framer calls {@link #available}, requests a buffer for the message and its prefix from the
 * allocator of the channel, writes the prefix and calls {@link #drainTo}, whose result it trusts
 * (io.grpc.internal.MessageFramer). Therefore {@code available} arms the {@link HandOffAllocator}
 * with the buffer of the chunks, and the allocator returns that buffer to the framer. {@code
 * drainTo} then only moves the writer index over the bytes of all messages. If the framer requested
 * another buffer or none, a single chunk is copied.
 */
final class OutgoingChunks extends InputStream
    implements ChunkMessage, KnownLength, Drainable, HandOffAllocator.HandOff {
  private final HandOffAllocator allocator;
  private final int firstLength;
  private final int messages;
  private final int end;
  private int position = HandOffAllocator.PREFIX;
  private @Nullable ByteBuf frame;
  private @Nullable ByteBuf handedOff;

  /**
   * Takes ownership of a frame.
   *
   * @param frame the messages in wire format. The first five bytes are reserved for the framer's
   *     prefix. The frame is filled to its capacity.
   * @param firstLength bytes of the first message, without its prefix
   * @param messages the number of messages, at least 1
   */
  OutgoingChunks(HandOffAllocator allocator, ByteBuf frame, int firstLength, int messages) {
    this.allocator = allocator;
    this.frame = frame;
    this.firstLength = firstLength;
    this.messages = messages;
    this.end = HandOffAllocator.PREFIX + firstLength;
  }

  int firstLength() {
    return firstLength;
  }

  int messages() {
    return messages;
  }

  /** Returns the frame, which this message still owns; null after it was handed off. */
  @Nullable ByteBuf frame() {
    return frame;
  }

  @Override
  public int available() {
    if (frame == null) {
      return 0;
    }
    if (position == HandOffAllocator.PREFIX) {
      // Arms here and not in the marshaller: a delayed call is drained on another thread than it
      // was sent on.
      allocator.arm(this, end);
    }
    return end - position;
  }

  @Override
  public ByteBuf handOff() {
    ByteBuf buffer = owned();
    frame = null;
    handedOff = buffer;
    return buffer;
  }

  @Override
  public int drainTo(OutputStream target) throws IOException {
    allocator.disarm(this);
    ByteBuf buffer = handedOff;
    if (buffer != null) {
      if (buffer.writerIndex() != HandOffAllocator.PREFIX) {
        throw new IllegalStateException(
            "the framer wrote " + buffer.writerIndex() + " bytes before the message");
      }
      buffer.writerIndex(buffer.capacity());
      allocator.counters().handedOff(messages);
      handedOff = null;
      return firstLength;
    }
    buffer = startReading();
    int n = end - position;
    buffer.getBytes(position, target, n);
    position += n;
    return n;
  }

  @Override
  public int read() {
    ByteBuf buffer = startReading();
    return position == end ? -1 : buffer.getByte(position++) & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    ByteBuf buffer = startReading();
    if (length == 0) {
      return 0;
    }
    int n = Math.min(end - position, length);
    if (n == 0) {
      return -1;
    }
    buffer.getBytes(position, target, offset, n);
    position += n;
    return n;
  }

  private ByteBuf startReading() {
    if (position == HandOffAllocator.PREFIX) {
      if (messages > 1) {
        throw new IllegalStateException("several messages at once can only be handed off");
      }
      allocator.disarm(this);
      allocator.counters().copiedOut();
    }
    return owned();
  }

  private ByteBuf owned() {
    ByteBuf buffer = frame;
    if (buffer == null) {
      throw new IllegalStateException("the buffer was handed off or released already");
    }
    return buffer;
  }

  @Override
  public void close() {
    allocator.disarm(this);
    release();
  }

  @Override
  public void release() {
    ByteBuf buffer = frame;
    if (buffer != null) {
      frame = null;
      buffer.release();
    }
  }
}
