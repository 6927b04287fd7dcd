package dev.ferry.zerocopy;

import com.google.protobuf.MessageLite;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message to send, encoded in one buffer, which may have further messages behind it. grpc-java's
 * framer sees one message, the first. The others are complete, each with its prefix.
 *
 * <p>The framer calls {@link #available}, requests a buffer for the message and its prefix from the
 * allocator of the channel, writes the prefix and calls {@link #drainTo}, whose result it trusts
 * (io.grpc.internal.MessageFramer). Therefore {@code available} arms the {@link HandOffAllocator},
 * which returns the encoded message to the framer. {@code drainTo} then only moves the writer index
 * to the end. If the framer requested another buffer or none, the message is copied.
 */
final class OutgoingMessage<M extends MessageLite> extends InputStream
    implements BytesMessage<M>, KnownLength, Drainable, HandOffAllocator.HandOff {
  /** Bytes that a codec, or a framer, may write to a buffer before the message is drained. */
  private static final int MOST_HEADER = 32;

  private static final VarHandle FRAME = frameHandle();

  private final BytesField<M> field;
  private final M rest;
  private final int payload;
  private final int messages;
  private final int end;
  private int position = HandOffAllocator.PREFIX;

  /**
   * The buffer until somebody takes it: the framer, a reader of the bytes, or who closes the
   * message. At the end of a call these may be several threads.
   */
  private volatile @Nullable ByteBuf frame;

  /** The buffer from when its bytes are read until it is released. */
  private @Nullable ByteBuf reading;

  private @Nullable ByteBuf handedOff;
  private boolean wasHandedOff;
  private UnrepeatedCalls.@Nullable Permission permission;

  /**
   * The first bytes of a message whose buffer was taken. A codec asks for a buffer as a small
   * message does, and may get its buffer and write a header to it.
   */
  private byte @Nullable [] begin;

  /** The encoded message, if it may be sent several times. */
  private byte @Nullable [] copy;

  /**
   * Takes ownership of a frame.
   *
   * @param rest the first message without its bytes
   * @param frame the messages. The first five bytes are reserved for the framer's prefix. The frame
   *     is filled to its capacity.
   * @param payload where the bytes of the first message begin in the frame
   * @param end where the first message ends in the frame
   * @param messages the number of messages, at least 1
   */
  OutgoingMessage(BytesField<M> field, M rest, ByteBuf frame, int payload, int end, int messages) {
    this.field = field;
    this.rest = rest;
    this.frame = frame;
    this.payload = payload;
    this.end = end;
    this.messages = messages;
  }

  private static VarHandle frameHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(OutgoingMessage.class, "frame", ByteBuf.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private @Nullable ByteBuf take() {
    return (ByteBuf) FRAME.getAndSet(this, null);
  }

  /** Returns whether nobody has taken the buffer yet. */
  boolean isWaiting() {
    return frame != null;
  }

  /** Releases the buffer if nobody has taken it, at the end of the call. Thread-safe. */
  void abandon() {
    ByteBuf buffer = take();
    if (buffer != null) {
      buffer.release();
    }
  }

  /** Returns whether the transport took the buffer as it is. */
  boolean wasHandedOff() {
    return wasHandedOff;
  }

  /** Allows a client to hand the message off, if the call will not be repeated. */
  void permit(UnrepeatedCalls.Permission given) {
    permission = given;
  }

  /** Returns a stream of the message for a server, whose calls are never repeated. */
  InputStream stream() {
    if (frame == null) {
      throw new IllegalStateException("the message was sent or closed already");
    }
    return this;
  }

  /**
   * Returns a stream of the message for a client, another one for each time that it is sent. A call
   * that is repeated may ask on two threads at the same time.
   */
  synchronized InputStream repeatableStream() {
    byte[] bytes = copy;
    if (bytes == null) {
      if (permission != null && permission.mayHandOff()) {
        return stream();
      }
      bytes = new byte[end - HandOffAllocator.PREFIX];
      startReading().getBytes(HandOffAllocator.PREFIX, bytes);
      close();
      copy = bytes;
    }
    return new ByteArrayInputStream(bytes);
  }

  @Override
  public int available() {
    if (frame != null) {
      // Arms here and not in the marshaller: a delayed call is drained on another thread than it
      // was sent on.
      HandOffAllocator.arm(this, end);
    } else if (reading == null) {
      return 0;
    }
    return end - position;
  }

  @Override
  public @Nullable ByteBuf handOff() {
    // A thread that has asked for the length may not have drained the message; another one has.
    ByteBuf buffer = take();
    if (buffer == null) {
      return null;
    }
    handedOff = buffer;
    begin = new byte[Math.min(MOST_HEADER, end - HandOffAllocator.PREFIX)];
    buffer.getBytes(HandOffAllocator.PREFIX, begin);
    return buffer;
  }

  @Override
  public int drainTo(OutputStream target) throws IOException {
    HandOffAllocator.disarm(this);
    ByteBuf buffer = handedOff;
    if (buffer != null) {
      handedOff = null;
      if (buffer.writerIndex() != HandOffAllocator.PREFIX) {
        return drainCopy(buffer, target);
      }
      buffer.writerIndex(buffer.capacity());
      field.copies().handedOff(messages);
      wasHandedOff = true;
      return end - HandOffAllocator.PREFIX;
    }
    buffer = startReading();
    int n = end - position;
    buffer.getBytes(position, target, n);
    position += n;
    return n;
  }

  /**
   * Writes a message whose buffer was taken for something else: a small one for the output of a
   * codec, which has begun it with a header of its own (that of gzip has ten bytes).
   */
  private int drainCopy(ByteBuf taken, OutputStream target) throws IOException {
    int overwritten = taken.writerIndex() - HandOffAllocator.PREFIX;
    if (begin == null || overwritten > begin.length || messages > 1) {
      throw new IllegalStateException(
          "the framer wrote " + taken.writerIndex() + " bytes before the message");
    }
    byte[] message = new byte[end - HandOffAllocator.PREFIX];
    taken.getBytes(HandOffAllocator.PREFIX, message);
    System.arraycopy(begin, 0, message, 0, begin.length);
    target.write(message);
    field.copies().copiedOut(1);
    return message.length;
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
    ByteBuf buffer = reading;
    if (buffer == null) {
      if (messages > 1) {
        throw new IllegalStateException("several messages at once can only be handed off");
      }
      buffer = owned(take());
      reading = buffer;
      HandOffAllocator.disarm(this);
      field.copies().copiedOut(1);
    }
    return buffer;
  }

  private static ByteBuf owned(@Nullable ByteBuf buffer) {
    if (buffer == null) {
      throw new IllegalStateException("the message was sent or closed already");
    }
    return buffer;
  }

  @Override
  public M rest() {
    return rest;
  }

  @Override
  public boolean hasBytes() {
    return true;
  }

  @Override
  public int length() {
    return end - payload;
  }

  @Override
  public List<ByteBuffer> buffers() {
    ByteBuffer[] views = owned(frame).nioBuffers(payload, length());
    Arrays.setAll(views, i -> views[i].asReadOnlyBuffer());
    return List.of(views);
  }

  @Override
  public ByteBuf toByteBuf() {
    ByteBuf bytes = owned(frame).retainedSlice(payload, length());
    close();
    return bytes;
  }

  @Override
  public M message() {
    return field.withBytes(rest, buffers());
  }

  @Override
  public void close() {
    HandOffAllocator.disarm(this);
    abandon();
    ByteBuf buffer = reading;
    if (buffer != null) {
      reading = null;
      buffer.release();
    }
  }
}
