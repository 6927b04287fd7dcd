package dev.ferry.http.internal;

import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Reuses buffers across transfers. A request discards idle buffers of another capacity.
 * Thread-safe.
 */
public final class CopyBuffers {
  /** Enough for eight uploads at once. */
  private static final int KEPT = 16;

  private final BlockingQueue<ByteBuffer> free = new ArrayBlockingQueue<>(KEPT);
  private final boolean direct;

  private CopyBuffers(boolean direct) {
    this.direct = direct;
  }

  /** Creates a pool of heap buffers. */
  public static CopyBuffers arrays() {
    return new CopyBuffers(false);
  }

  /** Creates a pool of direct buffers. */
  public static CopyBuffers direct() {
    return new CopyBuffers(true);
  }

  /** Returns an empty buffer of exactly this capacity. */
  public ByteBuffer take(int capacity) {
    for (ByteBuffer buffer; (buffer = free.poll()) != null; ) {
      if (buffer.capacity() == capacity) {
        return buffer.clear();
      }
    }
    return direct ? ByteBuffer.allocateDirect(capacity) : ByteBuffer.allocate(capacity);
  }

  /** Returns a buffer to the pool. The caller must not use it any more. */
  public void give(ByteBuffer buffer) {
    boolean unused = free.offer(buffer);
  }
}
