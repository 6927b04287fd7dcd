package dev.ferry.suites.rival;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A body that a client pushes from its own threads, no more of it than was requested.
 *
 * <p>The reader must close it, which releases unread buffers.
 */
public final class QueuedBody extends BufferStream {
  private final BlockingQueue<Object> queue = new LinkedBlockingQueue<>();
  private final IntConsumer consumed;
  private final Runnable abort;
  private boolean abandoned;

  /** The last of a queue: why there is no more, if that is not the end. */
  private record End(@Nullable Throwable failure) {}

  /**
   * @param consumed called on the reading thread
   * @param abort ends the exchange
   */
  public QueuedBody(IntConsumer consumed, Runnable abort) {
    this.consumed = consumed;
    this.abort = abort;
  }

  /** Adds a buffer, and its ownership. */
  public void push(ByteBuffer bytes, Runnable release) {
    boolean refused;
    synchronized (this) {
      refused = abandoned;
      if (!refused && bytes.hasRemaining()) {
        queue.add(new PooledBuffer(bytes, release));
        return;
      }
    }
    release.run();
    if (!refused) {
      consumed.accept(0);
    }
  }

  /** The body has ended. */
  public void end() {
    queue.add(new End(null));
  }

  /** The body was cut. */
  public void fail(Throwable failure) {
    queue.add(new End(failure));
  }

  @Override
  public @Nullable PooledBuffer next(boolean wait) throws IOException {
    if (hasEnded()) {
      return null;
    }
    requireOpen();
    Object next = wait ? take() : queue.poll();
    if (next instanceof PooledBuffer buffer) {
      int bytes = buffer.bytes().remaining();
      return new PooledBuffer(
          buffer.bytes(),
          () -> {
            buffer.release().run();
            consumed.accept(bytes);
          });
    }
    if (next instanceof End end) {
      requireOpen();
      if (end.failure() != null) {
        queue.add(end);
        throw new IOException(end.failure().getMessage(), end.failure());
      }
      ended();
    }
    return null;
  }

  private Object take() throws IOException {
    try {
      return queue.take();
    } catch (InterruptedException e) {
      abandon();
      Thread.currentThread().interrupt();
      throw new ClosedByInterruptException();
    }
  }

  @Override
  public void abandon() {
    boolean whole = hasEnded();
    synchronized (this) {
      abandoned = true;
      for (Object left; (left = queue.poll()) != null; ) {
        if (left instanceof PooledBuffer buffer) {
          buffer.release().run();
        }
      }
      // Wakes the reader, which finds the body closed.
      queue.add(new End(new IOException("the body was given up")));
    }
    if (!whole) {
      abort.run();
    }
  }
}
