package dev.ferry.http;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Direct buffers kept from one transfer to the next, a few, of the size last used. Thread-safe. */
final class DirectBuffers {
  private static final int KEPT = 8;

  private final BlockingQueue<ByteBuffer> free = new ArrayBlockingQueue<>(KEPT);

  /** An empty buffer of exactly that capacity. */
  ByteBuffer take(int capacity) {
    for (ByteBuffer buffer; (buffer = free.poll()) != null; ) {
      if (buffer.capacity() == capacity) {
        return buffer.clear();
      }
    }
    return ByteBuffer.allocateDirect(capacity);
  }

  /** Keeps buffers that nobody uses any more; those beyond a few are left to the collector. */
  void give(Collection<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      if (!free.offer(buffer)) {
        return;
      }
    }
  }
}
