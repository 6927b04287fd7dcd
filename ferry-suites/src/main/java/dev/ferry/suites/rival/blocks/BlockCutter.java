package dev.ferry.suites.rival.blocks;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes of a body into blocks. A block within one of the buffers that came is a view of
 * it; one that spans several is copied together. For one thread at a time.
 */
final class BlockCutter implements AutoCloseable {
  private static final int UNKNOWN = -1;

  private final ByteBufAllocator allocator;
  private final int maxBytes;
  private final Deque<ByteBuf> buffers = new ArrayDeque<>();
  private long available;
  private int length = UNKNOWN;

  /**
   * Creates a cutter.
   *
   * @param maxBytes maximum length of a block that is accepted
   */
  BlockCutter(ByteBufAllocator allocator, int maxBytes) {
    this.allocator = allocator;
    this.maxBytes = maxBytes;
  }

  /** Adds bytes and takes ownership of them. */
  void add(ByteBuf bytes) {
    if (bytes.isReadable()) {
      buffers.add(bytes);
      available += bytes.readableBytes();
    } else {
      bytes.release();
    }
  }

  /**
   * Returns the next block without its length; the caller releases it. Returns null if more bytes
   * are needed.
   */
  @Nullable ByteBuf next() throws FerryException {
    if (length == UNKNOWN) {
      if (available < BlockFormat.PREFIX_BYTES) {
        return null;
      }
      length = readLength();
    }
    if (available < length) {
      return null;
    }
    ByteBuf block = take(length);
    length = UNKNOWN;
    return block;
  }

  private int readLength() throws FerryException {
    ByteBuf prefix = take(BlockFormat.PREFIX_BYTES);
    try {
      int value = prefix.readInt();
      if (value < 1 || value > maxBytes) {
        throw new FerryException(
            ErrorKind.INVALID_REQUEST,
            "a block says that it has "
                + Integer.toUnsignedString(value)
                + " bytes, which is not from 1 to "
                + maxBytes);
      }
      return value;
    } finally {
      prefix.release();
    }
  }

  private ByteBuf take(int bytes) {
    available -= bytes;
    ByteBuf first = buffers.element();
    if (first.readableBytes() >= bytes) {
      ByteBuf view = first.readRetainedSlice(bytes);
      dropIfRead(first);
      return view;
    }
    ByteBuf copy = allocator.directBuffer(bytes, bytes);
    while (copy.isWritable()) {
      ByteBuf buffer = buffers.element();
      copy.writeBytes(buffer, Math.min(buffer.readableBytes(), copy.writableBytes()));
      dropIfRead(buffer);
    }
    return copy;
  }

  private void dropIfRead(ByteBuf first) {
    if (!first.isReadable()) {
      buffers.remove();
      first.release();
    }
  }

  /** Returns whether no bytes are left. */
  boolean isEmpty() {
    return available == 0 && length == UNKNOWN;
  }

  /** Releases the bytes that are left. */
  @Override
  public void close() {
    buffers.forEach(ByteBuf::release);
    buffers.clear();
    available = 0;
  }
}
