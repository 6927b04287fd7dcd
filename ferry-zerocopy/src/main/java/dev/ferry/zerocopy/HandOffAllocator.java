package dev.ferry.zerocopy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The allocator of a channel. It can answer one allocation request with a buffer that is already
 * filled.
 *
 * <p>An outgoing message {@linkplain #arm arms} the current thread just before grpc-java's framer
 * requests a buffer with the size of the message plus prefix (io.grpc.internal.MessageFramer). The
 * delegate answers all other requests. {@code HandOffContractTest} fails if the framer changes its
 * requests. Thread-safe.
 *
 * <p>{@link ZeroCopy} installs it. Other transports that frame messages of grpc-java can use it in
 * the same way: they request a buffer of exactly the length of the message and its prefix, write
 * the prefix, and call {@code drainTo}.
 */
public final class HandOffAllocator implements ByteBufAllocator {
  /** Bytes of the prefix of a gRPC message: the compressed flag and the length. */
  public static final int PREFIX = 5;

  /**
   * The size in bytes of the smallest buffer that grpc-java requests for a message, and of the
   * first buffer for the output of a codec.
   */
  public static final int FIRST_BUFFER = 4096;

  /**
   * A filled buffer that waits for an allocation request. A message does not know the allocator of
   * the channel that it will be sent on, so all allocators have the slots of the threads in common.
   */
  private static final ThreadLocal<Slot> SLOTS = ThreadLocal.withInitial(Slot::new);

  /** A filled buffer to pass on. */
  @FunctionalInterface
  interface HandOff {
    /** Returns the buffer, which the requester owns from then on; null if it is gone. */
    @Nullable ByteBuf handOff();
  }

  private static final class Slot {
    @Nullable HandOff armed;
    int capacity;
  }

  private final ByteBufAllocator delegate;

  /**
   * Creates an allocator.
   *
   * @param delegate answers the requests for buffers to fill
   */
  public HandOffAllocator(ByteBufAllocator delegate) {
    this.delegate = delegate;
  }

  /** Expects a request of this thread for exactly this many bytes, or for the minimum size. */
  static void arm(HandOff handOff, int bytes) {
    Slot slot = SLOTS.get();
    slot.armed = handOff;
    slot.capacity = bytes;
  }

  /** Cancels the expectation of this thread if it is the given one. Returns whether it was. */
  static boolean disarm(HandOff handOff) {
    Slot slot = SLOTS.get();
    boolean armed = slot.armed == handOff;
    if (armed) {
      slot.armed = null;
    }
    return armed;
  }

  /**
   * Writes a message that is compressed already to the stream that grpc-java gives a codec, in its
   * own buffer if the transport permits it, else as a copy. It is for codecs that compress into
   * direct buffers, or elsewhere.
   *
   * @param compressed the message, at least one byte. If this method returns true, the transport
   *     owns the buffer; otherwise the buffer is unchanged.
   * @param target the stream, to which nothing was written yet
   * @return whether the transport took the buffer as it is
   * @throws IOException if the stream throws it
   */
  public static boolean handOff(ByteBuf compressed, OutputStream target) throws IOException {
    int start = compressed.readerIndex();
    int length = compressed.readableBytes();
    byte[] first = {compressed.getByte(start)};
    compressed.writerIndex(start);
    HandOff handOff = () -> compressed;
    arm(handOff, FIRST_BUFFER);
    boolean handedOff;
    try {
      // Rewriting the first byte makes the framer request its first buffer.
      target.write(first, 0, 1);
    } finally {
      handedOff = !disarm(handOff);
      compressed.writerIndex(start + length);
    }
    if (!handedOff) {
      compressed.getBytes(start + 1, target, length - 1);
    }
    return handedOff;
  }

  @Override
  public ByteBuf buffer(int initialCapacity, int maxCapacity) {
    Slot slot = SLOTS.get();
    HandOff armed = slot.armed;
    if (armed != null
        && initialCapacity == maxCapacity
        && (initialCapacity == slot.capacity
            || initialCapacity == Math.max(FIRST_BUFFER, slot.capacity))) {
      slot.armed = null;
      ByteBuf filled = armed.handOff();
      if (filled != null) {
        return filled;
      }
    }
    return delegate.buffer(initialCapacity, maxCapacity);
  }

  @Override
  public ByteBuf heapBuffer() {
    return delegate.heapBuffer();
  }

  @Override
  public ByteBuf heapBuffer(int initialCapacity) {
    return delegate.heapBuffer(initialCapacity);
  }

  @Override
  public ByteBuf heapBuffer(int initialCapacity, int maxCapacity) {
    return delegate.heapBuffer(initialCapacity, maxCapacity);
  }

  @Override
  public ByteBuf directBuffer() {
    return delegate.directBuffer();
  }

  @Override
  public ByteBuf directBuffer(int initialCapacity) {
    return delegate.directBuffer(initialCapacity);
  }

  @Override
  public ByteBuf directBuffer(int initialCapacity, int maxCapacity) {
    return delegate.directBuffer(initialCapacity, maxCapacity);
  }

  @Override
  public ByteBuf ioBuffer() {
    return delegate.ioBuffer();
  }

  @Override
  public ByteBuf ioBuffer(int initialCapacity) {
    return delegate.ioBuffer(initialCapacity);
  }

  @Override
  public ByteBuf ioBuffer(int initialCapacity, int maxCapacity) {
    return delegate.ioBuffer(initialCapacity, maxCapacity);
  }

  @Override
  public ByteBuf buffer() {
    return delegate.buffer();
  }

  @Override
  public ByteBuf buffer(int initialCapacity) {
    return delegate.buffer(initialCapacity);
  }

  @Override
  public CompositeByteBuf compositeBuffer() {
    return delegate.compositeBuffer();
  }

  @Override
  public CompositeByteBuf compositeBuffer(int maxNumComponents) {
    return delegate.compositeBuffer(maxNumComponents);
  }

  @Override
  public CompositeByteBuf compositeHeapBuffer() {
    return delegate.compositeHeapBuffer();
  }

  @Override
  public CompositeByteBuf compositeHeapBuffer(int maxNumComponents) {
    return delegate.compositeHeapBuffer(maxNumComponents);
  }

  @Override
  public CompositeByteBuf compositeDirectBuffer() {
    return delegate.compositeDirectBuffer();
  }

  @Override
  public CompositeByteBuf compositeDirectBuffer(int maxNumComponents) {
    return delegate.compositeDirectBuffer(maxNumComponents);
  }

  @Override
  public boolean isDirectBufferPooled() {
    return delegate.isDirectBufferPooled();
  }

  @Override
  public int calculateNewCapacity(int minNewCapacity, int maxCapacity) {
    return delegate.calculateNewCapacity(minNewCapacity, maxCapacity);
  }
}
