package dev.ferry.core;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A clock of a rate limit that only pauses move on. They take no time. Thread-safe. */
public final class CountedPauses {
  private static final int PATIENCE_SECONDS = 120;

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1000);
  private final AtomicLong total = new AtomicLong();
  private final AtomicLong longest = new AtomicLong();
  private final Set<String> threads = ConcurrentHashMap.newKeySet();
  private final CountDownLatch begun = new CountDownLatch(1);
  private volatile boolean holding;

  private final RateLimit.Clock clock =
      new RateLimit.Clock() {
        @Override
        public long nanoTime() {
          return now.get();
        }

        @Override
        public void await(CountDownLatch ended, long nanos) throws InterruptedException {
          threads.add(Thread.currentThread().getName());
          total.addAndGet(nanos);
          longest.accumulateAndGet(nanos, Math::max);
          begun.countDown();
          if (holding && !ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("nobody has ended the pause");
          }
          now.addAndGet(nanos);
        }
      };

  /** Creates a limit with this clock, in bytes per second. */
  public RateLimit limit(long bytesPerSecond) {
    return new RateLimit(bytesPerSecond, clock);
  }

  /** From now on, a pause lasts until it is ended. */
  public CountedPauses holding() {
    holding = true;
    return this;
  }

  /** Waits until a pause has begun. */
  public void awaitBegun() throws InterruptedException {
    if (!begun.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("no pause has begun");
    }
  }

  /** Lets time pass, in nanoseconds. */
  public void pass(long nanos) {
    now.addAndGet(nanos);
  }

  /** The nanoseconds of all pauses that were asked for. */
  public long total() {
    return total.get();
  }

  /** The nanoseconds of the longest pause. */
  public long longest() {
    return longest.get();
  }

  /** The names of the threads that paused. */
  public Set<String> threads() {
    return threads;
  }
}
