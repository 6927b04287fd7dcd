package dev.ferry.net.internal;

import dev.ferry.net.Quota;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a caller has used of a quota, as GCRA counts it (ITU-T I.371): a time that each amount moves
 * on by its share of the unit of the quota, and that may be ahead of the clock by this unit. So the
 * whole quota can be used at once, and comes back evenly within its unit. Thread-safe.
 */
public final class LeakyBucket {
  private final AtomicLong next;

  /**
   * @param now of the clock of {@link #take}, in nanoseconds
   */
  public LeakyBucket(long now) {
    next = new AtomicLong(now);
  }

  /**
   * Counts an amount unless it is too much.
   *
   * @param amount at least 1
   * @param now nanoseconds
   * @return nanoseconds until it may be asked for again; 0 if it was counted
   */
  public long take(Quota quota, long amount, long now) {
    while (true) {
      long due = next.get();
      long delay = delay(quota, amount, due, now);
      if (delay > 0) {
        return delay;
      }
      if (next.compareAndSet(due, now + ahead(quota, due, now) + share(quota, amount))) {
        return 0;
      }
    }
  }

  /** Returns as {@link #take}, but counts nothing. */
  public long delay(Quota quota, long amount, long now) {
    return delay(quota, amount, next.get(), now);
  }

  /** Takes back what was counted just before. */
  public void giveBack(Quota quota, long amount) {
    next.addAndGet(-share(quota, amount));
  }

  private static long delay(Quota quota, long amount, long due, long now) {
    return Math.max(0, ahead(quota, due, now) + share(quota, amount) - quota.unit().toNanos());
  }

  private static long ahead(Quota quota, long due, long now) {
    // A difference, since the clock may overflow.
    return Math.min(Math.max(0, due - now), quota.unit().toNanos());
  }

  /** Returns the nanoseconds in which an amount comes back. More than a quota never does. */
  private static long share(Quota quota, long amount) {
    long unit = quota.unit().toNanos();
    return amount > quota.amount()
        ? 2 * unit
        : Math.max(1, (long) (amount * (double) unit / quota.amount()));
  }
}
