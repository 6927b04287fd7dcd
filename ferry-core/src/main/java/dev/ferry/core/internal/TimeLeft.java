package dev.ferry.core.internal;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The time that is left of a call that consists of several requests. Thread-safe. */
public final class TimeLeft {
  /** The longest limit: a longer time may not fit into nanoseconds. */
  public static final Duration LONGEST = Duration.ofDays(36_500);

  private static final Duration SHORTEST = Duration.ofMillis(1);

  private final long start = System.nanoTime();
  private final @Nullable Duration timeout;

  /**
   * Begins the call.
   *
   * @param timeout null means no limit
   */
  public TimeLeft(@Nullable Duration timeout) {
    this.timeout = timeout;
  }

  /** Returns the time that is left, a millisecond at least; null if it is not limited. */
  public @Nullable Duration get() {
    Duration left = timeout == null ? null : timeout.minusNanos(System.nanoTime() - start);
    return left == null || left.compareTo(SHORTEST) > 0 ? left : SHORTEST;
  }
}
