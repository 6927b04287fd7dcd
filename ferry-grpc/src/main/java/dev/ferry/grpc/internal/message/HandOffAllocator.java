package dev.ferry.grpc.internal.message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * A channel's allocator that can answer one request with a buffer that is filled already.
 *
 * <p>An outgoing chunk {@linkplain #arm arms} it, for the calling thread, right before grpc's
 * framer asks for a buffer of exactly the message's size and prefix; every other request goes to
 * the delegate. {@code HandOffContractTest} fails the day the framer asks otherwise. Thread-safe.
 */
public final class HandOffAllocator implements ByteBufAllocator {
  /** Bytes of the prefix of a gRPC message: the compressed flag and the length. */
  static final int PREFIX = 5;

  /** grpc-java asks for no smaller buffer, however small the message is. */
  private static final int LEAST_BUFFER = 4096;

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

  /** What was handed off and what was copied by the form that uses this allocator. */
  public HandOffCounters counters() {
    return counters;
  }

  /**
   * What a marshaller gives to grpc-java for several messages that leave as one: on a transport
   * whose channels use this allocator, and that does not compress.
   *
   * @param frame the messages as they stand on the wire, but for the first five bytes, which are
   *     left for the framer's prefix; filled to its capacity, and taken over
   * @param firstLength bytes of the first message, without its prefix
   * @param messages how many there are, at least 1
   */
  public InputStream handOff(ByteBuf frame, int firstLength, int messages) {
    return new HandOffStream(new ZeroCopyMessage.Outgoing(frame, firstLength, messages), this);
  }

  /** Expects, from this thread, a request for just so many bytes, or for the least there is. */
  void arm(HandOff handOff, int bytes) {
    Slot slot = slots.get();
    slot.armed = handOff;
    slot.capacity = bytes;
  }

  /** Stops expecting; tells whether it was still expected. */
  boolean disarm(HandOff handOff) {
    Slot slot = slots.get();
    boolean armed = slot.armed == handOff;
    if (armed) {
      slot.armed = null;
    }
    return armed;
  }

  /** Forgets what this thread was armed with: the message takes another way, through a codec. */
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
