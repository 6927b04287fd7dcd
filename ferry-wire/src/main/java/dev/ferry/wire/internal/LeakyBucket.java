package dev.ferry.wire.internal;

import dev.ferry.wire.RequestRate;

/**
 * What a caller has used of a {@link RequestRate}, as GCRA counts it (ITU-T I.371): a time that
 * each request moves on by its share of the unit of the rate, and that may be ahead of the clock by
 * this unit. So all requests of a unit can be sent at once, and come back evenly within it.
 * Thread-safe.
 */
final class LeakyBucket {
  private long next;

  /**
   * @param now of the clock of {@link #take}, in nanoseconds
   */
  LeakyBucket(long now) {
    next = now;
  }

  /**
   * Counts a request unless it is one too many.
   *
   * @param now nanoseconds
   * @return nanoseconds until it may be asked for again; 0 if it was counted
   */
  synchronized long take(RequestRate rate, long now) {
    long unit = rate.unit().toNanos();
    // A difference, since the clock may overflow.
    long ahead = Math.min(Math.max(0, next - now), unit) + Math.max(1, unit / rate.requests());
    if (ahead > unit) {
      return ahead - unit;
    }
    next = now + ahead;
    return 0;
  }
}
