package dev.ferry.grpc.internal.message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The allocator of a channel. It can answer one allocation request with a buffer that is already
 * filled.
 *
 * <p>An outgoing chunk {@linkplain #arm arms} the allocator for the calling thread just before
 * grpc-java's framer requests a buffer with the size of the message plus prefix. The delegate
 * answers all other requests. {@code HandOffContractTest} fails if the framer changes its requests.
 * Thread-safe.
 */
public final class HandOffAllocator implements ByteBufAllocator {
  /** Bytes of the prefix of a gRPC message: the compressed flag and the length. */
  static final int PREFIX = 5;

  /** grpc-java requests at least this many bytes for any message. */
  private static final int LEAST_BUFFER = 4096;

  /** A filled buffer that waits for an allocation request. */
  @FunctionalInterface
  interface HandOff {
    /** Returns the buffer. The requester owns it from then on. */
    ByteBuf handOff();
  }

  private static final class Slot {
    @Nullable HandOff armed;
    int capacity;
  }

  private final ByteBufAllocator delegate;
  private final HandOffCounters counters = new HandOffCounters();
  private final ThreadLocal<Slot> slots = ThreadLocal.withInitial(Slot::new);

  public HandOffAllocator(ByteBufAllocator delegate) {
    this.delegate = delegate;
  }

  /** Returns the hand-off and copy counts of the format that uses this allocator. */
  public HandOffCounters counters() {
    return counters;
  }

  /** Expects a request of this thread for exactly this many bytes, or for the minimum size. */
  void arm(HandOff handOff, int bytes) {
    Slot slot = slots.get();
    slot.armed = handOff;
    slot.capacity = bytes;
  }

  /** Cancels the expectation. Returns whether it was still set. */
  boolean disarm(HandOff handOff) {
    Slot slot = slots.get();
    boolean armed = slot.armed == handOff;
    if (armed) {
      slot.armed = null;
    }
    return armed;
  }

  /** Clears the expectation of this thread. The message goes through a codec instead. */
  void disarm() {
    slots.get().armed = null;
  }

  @Override
  public ByteBuf buffer(int initialCapacity, int maxCapacity) {
    Slot slot = slots.get();
    HandOff armed = slot.armed;
    if (armed != null
        && initialCapacity == maxCapacity
        && (initialCapacity == slot.capacity
            || initialCapacity == Math.max(LEAST_BUFFER, slot.capacity))) {
      slot.armed = null;
      return armed.handOff();
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
