package dev.ferry.suites.rival;

import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Buffers of one size that the transfers of a client use again. Thread-safe. */
public final class Buffers {
  private final Queue<ByteBuffer> free = new ConcurrentLinkedQueue<>();
  private final boolean direct;

  private Buffers(boolean direct) {
    this.direct = direct;
  }

  /** Buffers of the heap. */
  public static Buffers arrays() {
    return new Buffers(false);
  }

  /** Buffers outside of the heap. */
  public static Buffers direct() {
    return new Buffers(true);
  }

  /** Returns an empty buffer. */
  public ByteBuffer take(int capacity) {
    ByteBuffer buffer = free.poll();
    if (buffer != null && buffer.capacity() == capacity) {
      return buffer.clear();
    }
    return direct ? ByteBuffer.allocateDirect(capacity) : ByteBuffer.allocate(capacity);
  }

  /** Gives a buffer back, which the caller must not use any more. */
  public void give(ByteBuffer buffer) {
    free.add(buffer);
  }
}
