package dev.ferry.net.internal;

import dev.ferry.net.RequestLimit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The requests of a caller, as GCRA counts them (ITU-T I.371): a time that each request moves on by
 * the interval of the limit, and that may be ahead of the clock by the unit of the limit.
 * Thread-safe.
 */
public final class RequestRate {
  private final AtomicLong next;

  /**
   * @param now of the clock of {@link #take}
   */
  public RequestRate(long now) {
    next = new AtomicLong(now);
  }

  /**
   * Counts a request unless it is one too many.
   *
   * @param now nanoseconds
   * @return nanoseconds until the next one may come; 0 if this one was counted
   */
  public long take(RequestLimit limit, long now) {
    long interval = limit.interval().toNanos();
    long most = limit.unit().toNanos() - interval;
    while (true) {
      long due = next.get();
      // Differences, since the clock may overflow.
      long ahead = Math.min(Math.max(0, due - now), limit.unit().toNanos());
      if (ahead > most) {
        return ahead - most;
      }
      if (next.compareAndSet(due, now + ahead + interval)) {
        return 0;
      }
    }
  }
}
