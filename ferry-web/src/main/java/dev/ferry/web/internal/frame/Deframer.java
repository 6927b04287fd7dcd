package dev.ferry.web.internal.frame;

import dev.ferry.core.FerryException;
import dev.ferry.web.internal.MessageStream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Splits a body into its messages. The messages stay in the buffers in which they arrived. For one
 * thread at a time.
 */
public final class Deframer {
  /**
   * Maximum number of buffers of an incomplete message. Above it they are copied into one buffer,
   * because a message that arrives byte by byte would retain one read buffer of the transport per
   * byte.
   */
  private static final int MAX_PARTS = 64;

  /** Maximum number of buffers that are small on average. */
  private static final int MAX_SMALL_PARTS = 8;

  /** Half of the smallest read buffer in bytes. A smaller buffer retains more than it has. */
  private static final int SMALL = 8 * 1024;

  /** A message. */
  public record Frame(boolean isCompressed, MessageStream message) implements AutoCloseable {
    @Override
    public void close() {
      message.close();
    }
  }

  private final FrameRules rules;
  private final ByteBufAllocator allocator;
  private final Deque<ByteBuf> parts = new ArrayDeque<>();
  private @Nullable ByteBuf merged;
  private long held;
  private boolean begun;
  private int length;

  /** Starts before the first frame. */
  public Deframer(FrameRules rules, ByteBufAllocator allocator) {
    this.rules = rules;
    this.allocator = allocator;
  }

  /** Adds the next buffer of the body and takes ownership of it. */
  public void add(ByteBuf buffer) {
    held += buffer.readableBytes();
    ByteBuf whole = merged;
    if (whole != null && whole.maxWritableBytes() > 0 && parts.peekLast() == whole) {
      int n = Math.min(whole.maxWritableBytes(), buffer.readableBytes());
      whole.writeBytes(buffer, n);
    }
    if (buffer.isReadable()) {
      parts.add(buffer);
    } else {
      buffer.release();
    }
  }

  /** Returns the next message, which the caller closes; null until it is complete. */
  public @Nullable Frame next() throws FerryException {
    if (!begun) {
      if (held < FrameRules.HEADER_BYTES) {
        return null;
      }
      header();
    }
    if (held < length) {
      mergeMany();
      return null;
    }
    begun = false;
    return new Frame(rules.isCompressed(), take());
  }

  private void header() throws FerryException {
    rules.begin(readByte());
    long size = 0;
    for (int i = 1; i < FrameRules.HEADER_BYTES; i++) {
      size = size << 8 | readByte();
    }
    rules.length(size);
    begun = true;
    length = (int) size;
  }

  private int readByte() {
    ByteBuf part = parts.element();
    int value = part.readUnsignedByte();
    held--;
    dropIfRead(part);
    return value;
  }

  private void dropIfRead(ByteBuf part) {
    if (!part.isReadable()) {
      parts.remove();
      part.release();
    }
  }

  private MessageStream take() {
    List<ByteBuf> message = new ArrayList<>();
    for (int left = length; left > 0; ) {
      ByteBuf part = parts.element();
      if (part.readableBytes() <= left) {
        left -= part.readableBytes();
        message.add(parts.remove());
      } else {
        message.add(part.readRetainedSlice(left));
        left = 0;
      }
    }
    held -= length;
    merged = null;
    return new MessageStream(message);
  }

  private void mergeMany() {
    boolean small = held < (long) parts.size() * SMALL;
    if (parts.size() < (small ? MAX_SMALL_PARTS : MAX_PARTS)) {
      return;
    }
    // It grows with what arrives: a client may announce a long message and send little of it.
    ByteBuf whole = allocator.directBuffer((int) held, length);
    for (ByteBuf part = parts.poll(); part != null; part = parts.poll()) {
      whole.writeBytes(part);
      part.release();
    }
    parts.add(whole);
    merged = whole;
  }

  /** Returns the bytes that were added and not returned yet. */
  public long held() {
    return held;
  }

  /**
   * Ends the body. Every message must have been taken.
   *
   * @throws FerryException if the body ends within a frame
   */
  public void end() throws FerryException {
    if (begun || held > 0) {
      throw rules.cut();
    }
  }

  /** Releases what was not returned. */
  public void close() {
    parts.forEach(ByteBuf::release);
    parts.clear();
    held = 0;
  }
}
