package dev.ferry.wire.internal.quota;

import dev.ferry.wire.Quota;

/**
 * What a caller has used of a quota, as GCRA counts it (ITU-T I.371): a time that each amount moves
 * on by its share of the unit of the quota, and that may be ahead of the clock by this unit. So the
 * whole quota can be used at once, and comes back evenly within its unit. An amount can be reserved
 * before it is used; until then nobody else can take it, and it does not come back. Thread-safe.
 */
public final class LeakyBucket {
  private long next;
  private long reserved;

  /**
   * @param now of the clock of {@link #take}, in nanoseconds
   */
  public LeakyBucket(long now) {
    next = now;
  }

  /**
   * Counts an amount unless it is too much.
   *
   * @param amount at least 1
   * @param now nanoseconds
   * @return nanoseconds until it may be asked for again; 0 if it was counted
   */
  public synchronized long take(Quota quota, long amount, long now) {
    long delay = reserve(quota, amount, now);
    if (delay == 0) {
      use(quota, amount, now);
    }
    return delay;
  }

  /**
   * Reserves an amount unless it is too much. It has to be {@linkplain #use used} or {@linkplain
   * #giveBack given back}, at once or in parts.
   *
   * @param amount at least 1
   * @return as {@link #take}, if all that others have reserved is used now
   */
  public synchronized long reserve(Quota quota, long amount, long now) {
    long delay = delay(quota, amount, now);
    if (delay == 0) {
      reserved += amount;
    }
    return delay;
  }

  /**
   * Counts an amount that was reserved.
   *
   * @param amount at least 1
   */
  public synchronized void use(Quota quota, long amount, long now) {
    reserved -= amount;
    next = now + ahead(quota, now) + share(quota, amount);
  }

  /** Makes an amount that was reserved, and was not used, free for others. */
  public synchronized void giveBack(long amount) {
    reserved -= amount;
  }

  /** Returns as {@link #take}, but counts nothing. */
  public synchronized long delay(Quota quota, long amount, long now) {
    long held = reserved == 0 ? 0 : share(quota, reserved);
    return Math.max(0, ahead(quota, now) + held + share(quota, amount) - quota.unit().toNanos());
  }

  private long ahead(Quota quota, long now) {
    // A difference, since the clock may overflow.
    return Math.min(Math.max(0, next - now), quota.unit().toNanos());
  }

  /** Returns the nanoseconds in which an amount comes back. More than a quota never does. */
  private static long share(Quota quota, long amount) {
    long unit = quota.unit().toNanos();
    return amount > quota.amount()
        ? 2 * unit
        : Math.max(1, (long) (amount * (double) unit / quota.amount()));
  }
}
