package dev.ferry.http;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Where the pieces of a request's body are read into. Thread-safe. */
sealed interface UploadBuffers {
  /** An empty buffer of exactly that capacity. */
  ByteBuffer take(int capacity);

  /** Whether a buffer may be filled again once the client has consumed it. */
  boolean reusable();

  /** Takes back the buffers of a body that was sent and answered. */
  void give(Collection<ByteBuffer> buffers);

  /** A new heap buffer for each piece. */
  record Fresh() implements UploadBuffers {
    @Override
    public ByteBuffer take(int capacity) {
      return ByteBuffer.allocate(capacity);
    }

    @Override
    public boolean reusable() {
      return false;
    }

    @Override
    public void give(Collection<ByteBuffer> buffers) {}
  }

  /** A few direct buffers, kept from one transfer to the next, of the size last used. */
  final class Reused implements UploadBuffers {
    private static final int KEPT = 8;

    private final BlockingQueue<ByteBuffer> free = new ArrayBlockingQueue<>(KEPT);

    @Override
    public ByteBuffer take(int capacity) {
      for (ByteBuffer buffer; (buffer = free.poll()) != null; ) {
        if (buffer.capacity() == capacity) {
          return buffer.clear();
        }
      }
      return ByteBuffer.allocateDirect(capacity);
    }

    @Override
    public boolean reusable() {
      return true;
    }

    @Override
    public void give(Collection<ByteBuffer> buffers) {
      for (ByteBuffer buffer : buffers) {
        if (!free.offer(buffer)) {
          return;
        }
      }
    }
  }
}
