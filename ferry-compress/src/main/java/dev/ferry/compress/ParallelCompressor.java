package dev.ferry.compress;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Has several threads compress the parts of a file ahead of whoever sends them, and gives the
 * results out in order. A bounded number of parts is under way or waits, so that a slow receiver
 * costs no more memory. Thread-safe.
 *
 * <p>A result belongs to whoever takes it by {@link #next}. Results that nobody takes are released
 * by {@link #close}, or by the thread that makes them later.
 *
 * @param <R> what becomes of a part, for instance a buffer
 * @param <X> what compressing fails with
 */
public final class ParallelCompressor<R, X extends Exception> implements AutoCloseable {
  private final CompressionThreads<X> threads;
  private final long size;
  private final int partBytes;
  private final int partsAhead;
  private final Task<R, X> task;
  private final Consumer<R> release;
  private final Runnable onReady;
  private final Deque<Part> parts = new ArrayDeque<>();
  private long scheduled;
  private boolean closed;

  /**
   * Reads and compresses a part; called by several threads at once.
   *
   * @param <R> what becomes of a part
   * @param <X> what compressing fails with
   */
  @FunctionalInterface
  public interface Task<R, X extends Exception> {
    /**
     * Compresses a part. If it fails, it leaves no buffer behind.
     *
     * @param position of its first byte
     * @param length its bytes, at least 1
     */
    R compress(long position, int length) throws X;
  }

  /**
   * Prepares; nothing is compressed before the first call of {@link #next}.
   *
   * @param size bytes of the file
   * @param partBytes bytes of a part, but for the last one; at least 1
   * @param partsAhead how many parts are under way or wait at most; at least 1
   * @param release gives back a result that nobody has taken
   * @param onReady runs on one of the threads when {@link #next} may have become possible
   */
  public ParallelCompressor(
      CompressionThreads<X> threads,
      long size,
      int partBytes,
      int partsAhead,
      Task<R, X> task,
      Consumer<R> release,
      Runnable onReady) {
    this.threads = threads;
    this.size = size;
    this.partBytes = partBytes;
    this.partsAhead = partsAhead;
    this.task = task;
    this.release = release;
    this.onReady = onReady;
  }

  /** Whether all results were taken. */
  public synchronized boolean ended() {
    return scheduled >= size && parts.isEmpty();
  }

  /**
   * The next result, for the caller to release.
   *
   * @return null if it is not ready yet, after the last one, and after {@link #close}
   * @throws X if the part could not be compressed, or the threads take no more work
   */
  public synchronized @Nullable R next() throws X {
    if (closed) {
      return null;
    }
    while (scheduled < size && parts.size() < partsAhead) {
      Part part = new Part(scheduled, (int) Math.min(partBytes, size - scheduled));
      threads.execute(part);
      parts.add(part);
      scheduled += part.length;
    }
    Part first = parts.peek();
    R result = first == null ? null : first.result();
    if (result != null) {
      parts.remove();
    }
    return result;
  }

  /** Gives up what was not taken; a thread may still read the file for a moment. */
  @Override
  public synchronized void close() {
    closed = true;
    parts.forEach(Part::drop);
    parts.clear();
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  /** A part of the file; its fields are guarded by the compressor. */
  private final class Part implements Runnable {
    private final long position;
    private final int length;
    private @Nullable R result;
    private @Nullable Throwable failure;

    Part(long position, int length) {
      this.position = position;
      this.length = length;
    }

    @SuppressWarnings("unchecked") // The task throws no other checked exception.
    @Nullable R result() throws X {
      if (failure instanceof RuntimeException || failure instanceof Error) {
        throw new IllegalStateException("compressing failed: " + failure, failure);
      }
      if (failure != null) {
        throw (X) failure;
      }
      return result;
    }

    void drop() {
      if (result != null) {
        release.accept(result);
        result = null;
      }
    }

    @Override
    public void run() {
      if (isClosed()) {
        return;
      }
      R compressed = null;
      Throwable thrown = null;
      try {
        compressed = task.compress(position, length);
      } catch (Exception | Error e) {
        // An Error too, for instance no direct memory: the sender must fail and not wait for ever.
        thrown = e;
      }
      if (isFirstOnDelivery(compressed, thrown)) {
        onReady.run();
      }
    }

    /** Hands the outcome over; gives whether it is the one that {@link #next} waits for. */
    private boolean isFirstOnDelivery(@Nullable R compressed, @Nullable Throwable thrown) {
      synchronized (ParallelCompressor.this) {
        result = compressed;
        failure = thrown;
        if (closed) {
          drop();
          return false;
        }
        return parts.peek() == this;
      }
    }
  }
}
