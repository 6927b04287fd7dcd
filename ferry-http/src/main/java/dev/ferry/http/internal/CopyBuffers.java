package dev.ferry.http.internal;

import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Reuses buffers across transfers. A request discards idle buffers of another capacity.
 * Thread-safe.
 */
public final class CopyBuffers {
  /** Enough for eight uploads at once. */
  private static final int KEPT = 16;

  private final @Nullable BlockingQueue<ByteBuffer> free;
  private final boolean direct;

  private CopyBuffers(boolean kept, boolean direct) {
    this.free = kept ? new ArrayBlockingQueue<>(KEPT) : null;
    this.direct = direct;
  }

  /** Creates a pool of heap buffers. */
  public static CopyBuffers arrays() {
    return new CopyBuffers(true, false);
  }

  /** Creates a pool of direct buffers. */
  public static CopyBuffers direct() {
    return new CopyBuffers(true, true);
  }

  /** Creates a pool that keeps nothing: each request returns a new heap buffer. */
  public static CopyBuffers fresh() {
    return new CopyBuffers(false, false);
  }

  /** Returns an empty buffer of exactly this capacity. */
  public ByteBuffer take(int capacity) {
    for (ByteBuffer buffer; free != null && (buffer = free.poll()) != null; ) {
      if (buffer.capacity() == capacity) {
        return buffer.clear();
      }
    }
    return direct ? ByteBuffer.allocateDirect(capacity) : ByteBuffer.allocate(capacity);
  }

  /** Returns a buffer to the pool. The caller must not use it any more. */
  public void give(ByteBuffer buffer) {
    if (free != null) {
      boolean unused = free.offer(buffer);
    }
  }
}
