package dev.ferry.wire.internal;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Whether the store of a port answers so soon that an event loop may wait for it: a small file
 * costs less than the way to a worker and back. If a step takes long, for instance because the disk
 * is slow, all steps of the next second belong on workers, and the event loops are free for their
 * other connections. Thread-safe.
 */
public final class DiskSpeed {
  /** A thread may also wait as long for a processor, if the machine is busy. */
  private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private static final long MAX_REST_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int REST_FACTOR = 10;

  private final boolean remote;
  private final LongSupplier nanoClock;
  private volatile long fastFrom;

  /**
   * @param remote whether each step may wait for a network, so that none is for an event loop
   */
  DiskSpeed(boolean remote, LongSupplier nanoClock) {
    this.remote = remote;
    this.nanoClock = nanoClock;
    this.fastFrom = nanoClock.getAsLong();
  }

  /** Returns whether an event loop may do a step. */
  public boolean isFast() {
    return !remote && nanoClock.getAsLong() - fastFrom >= 0;
  }

  /** Returns the time at which a step begins. */
  public long begin() {
    return nanoClock.getAsLong();
  }

  /** Called at the end of a step, wherever it was done. */
  public void ended(long begun) {
    long now = nanoClock.getAsLong();
    long took = now - begun;
    if (took > LONG_NANOS) {
      fastFrom = now + Math.min(REST_FACTOR * took, MAX_REST_NANOS);
    }
  }
}
