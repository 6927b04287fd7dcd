package dev.ferry.http.internal;

import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/** Buffers that are kept from one transfer to the next, of the size last used. Thread-safe. */
public final class CopyBuffers {
  private static final int KEPT = 8;

  private final @Nullable BlockingQueue<ByteBuffer> free;
  private final boolean direct;

  private CopyBuffers(boolean kept, boolean direct) {
    this.free = kept ? new ArrayBlockingQueue<>(KEPT) : null;
    this.direct = direct;
  }

  /** Buffers with arrays. */
  public static CopyBuffers arrays() {
    return new CopyBuffers(true, false);
  }

  /** Buffers without arrays. */
  public static CopyBuffers direct() {
    return new CopyBuffers(true, true);
  }

  /** A new buffer with an array for each use. */
  public static CopyBuffers fresh() {
    return new CopyBuffers(false, false);
  }

  /** An empty buffer of exactly that capacity. */
  public ByteBuffer take(int capacity) {
    for (ByteBuffer buffer; free != null && (buffer = free.poll()) != null; ) {
      if (buffer.capacity() == capacity) {
        return buffer.clear();
      }
    }
    return direct ? ByteBuffer.allocateDirect(capacity) : ByteBuffer.allocate(capacity);
  }

  /** Takes back a buffer that nobody uses any more. */
  public void give(ByteBuffer buffer) {
    if (free != null) {
      boolean unused = free.offer(buffer);
    }
  }
}
