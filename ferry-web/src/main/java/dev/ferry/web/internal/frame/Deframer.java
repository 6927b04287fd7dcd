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
 * Takes a body apart into its messages, which stay in the buffers they arrived in. For one thread
 * at a time.
 */
public final class Deframer {
  /**
   * Buffers of a message that is not whole yet: from there on they are copied into one, since a
   * message that drips in byte by byte would keep a read buffer of the transport for each.
   */
  private static final int MAX_PARTS = 64;

  /** A message, or the trailers. */
  public record Frame(boolean isTrailers, boolean isCompressed, MessageStream message)
      implements AutoCloseable {
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

  /** Begins before the first frame. */
  public Deframer(FrameRules rules, ByteBufAllocator allocator) {
    this.rules = rules;
    this.allocator = allocator;
  }

  /** Takes a piece of the body over. */
  public void add(ByteBuf piece) {
    held += piece.readableBytes();
    ByteBuf whole = merged;
    if (whole != null && whole.isWritable() && parts.peekLast() == whole) {
      int n = Math.min(whole.writableBytes(), piece.readableBytes());
      whole.writeBytes(piece, n);
    }
    if (piece.isReadable()) {
      parts.add(piece);
    } else {
      piece.release();
    }
  }

  /** The next message, the caller's to close; null until it has come whole. */
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
    return new Frame(rules.isTrailers(), rules.isCompressed(), take());
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
    return new MessageStream(message);
  }

  private void mergeMany() {
    if (parts.size() < MAX_PARTS) {
      return;
    }
    ByteBuf whole = allocator.directBuffer(length, length);
    for (ByteBuf part = parts.poll(); part != null; part = parts.poll()) {
      whole.writeBytes(part);
      part.release();
    }
    parts.add(whole);
    merged = whole;
  }

  /** Bytes that were added and not given out. */
  public long held() {
    return held;
  }

  /** The body has ended, and every message was taken. */
  public void end() throws FerryException {
    if (begun || held > 0) {
      throw rules.cut();
    }
  }

  /** Releases what was not given out. */
  public void close() {
    parts.forEach(ByteBuf::release);
    parts.clear();
    held = 0;
  }
}
