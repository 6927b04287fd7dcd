package dev.ferry.core.internal;

import dev.ferry.core.RateLimit;
import dev.ferry.core.TransferOptions;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Has the threads that move the bytes of one call wait as its {@link RateLimit} says. Never beyond
 * the timeout of the call, after which its last events have to be processed. Thread-safe.
 */
final class Throttle {
  private final RateLimit limit;
  private final long begun;
  private final long timeout;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicLong counted = new AtomicLong(-1);

  private Throttle(RateLimit limit, @Nullable Duration timeout) {
    this.limit = limit;
    this.begun = limit.nanoTime();
    this.timeout = timeout == null ? Long.MAX_VALUE : timeout.toNanos();
  }

  /** Creates the throttle of a new call; null if its options have no limit. */
  static @Nullable Throttle of(TransferOptions options) {
    RateLimit limit = options.rateLimit();
    return limit == null ? null : new Throttle(limit, options.timeout());
  }

  /**
   * Waits until the bytes since the last call of this method may have moved. The first call counts
   * no bytes. After an interrupt, returns at once with the interrupt status set.
   *
   * @param done the bytes that have moved in all
   * @param watch told that the time is no stall
   */
  void moved(long done, StallWatch watch) {
    long before = counted.getAndSet(done);
    if (before < 0 || done <= before || ended.getCount() == 0) {
      return;
    }
    long nanos = limit.take(done - before);
    nanos = Math.min(nanos, timeout - (limit.nanoTime() - begun));
    if (nanos <= 0) {
      return;
    }
    watch.working(true);
    try {
      limit.await(ended, nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      watch.working(false);
    }
  }

  /** Ends the current wait. There are no more. */
  void end() {
    ended.countDown();
  }
}
