package dev.ferry.core.internal;

import dev.ferry.core.RateLimit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Has one transfer of a server keep to the {@link RateLimit} of its caller. No thread waits: what
 * moves the bytes stops, and is run again when it may go on. A new transfer waits, too, if others
 * have used up the limit.
 *
 * <p>For one thread at a time, except {@link #isWaiting} and {@link #cancel}.
 */
public final class Pace {
  private final RateLimit limit;
  private final Executor executor;
  private long counted;
  private long notBefore;

  /** What is run after the wait; null while there is none. */
  private final AtomicReference<@Nullable Runnable> waiting = new AtomicReference<>();

  private Pace(RateLimit limit, Executor executor) {
    this.limit = limit;
    this.executor = executor;
    moved(0);
  }

  /**
   * Creates the pace of a new transfer.
   *
   * @param limit null for no limit
   * @param executor runs what goes on
   * @return null if there is no limit
   */
  public static @Nullable Pace of(@Nullable RateLimit limit, Executor executor) {
    return limit == null ? null : new Pace(limit, executor);
  }

  /** Returns a size in bytes, or {@link RateLimit#chunkSize} if that is less. */
  public static int chunk(@Nullable RateLimit limit, int size) {
    return limit == null ? size : Math.min(size, limit.chunkSize());
  }

  /**
   * Counts what has moved.
   *
   * @param done the bytes that have moved in all
   */
  public void moved(long done) {
    long nanos = limit.take(done - counted);
    counted = done;
    notBefore = limit.nanoTime() + nanos;
  }

  /**
   * Returns whether more may move now. If not, the task is run once when it may, or when the
   * executor takes no more tasks, unless {@link #cancel} comes before.
   */
  public boolean mayGoOn(Runnable again) {
    if (isWaiting()) {
      return false;
    }
    long nanos = notBefore - limit.nanoTime();
    if (nanos <= 0) {
      return true;
    }
    waiting.set(again);
    CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, this::run).execute(this::goOn);
    return false;
  }

  private void goOn() {
    Runnable again = waiting.getAndSet(null);
    if (again != null) {
      again.run();
    }
  }

  /**
   * Ends a wait, since the transfer ends. What waits is not run. Thread-safe.
   *
   * @return whether it waited, and nothing has been run yet
   */
  public boolean cancel() {
    return waiting.getAndSet(null) != null;
  }

  private void run(Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException e) {
      // The server closes. The transfer has to notice this and to release what it holds.
      task.run();
    }
  }

  /** Returns whether the transfer waits. Thread-safe. */
  public boolean isWaiting() {
    return waiting.get() != null;
  }
}
