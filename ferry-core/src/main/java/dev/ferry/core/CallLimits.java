package dev.ferry.core;

import dev.ferry.core.internal.TimeLeft;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long one call may take.
 *
 * @param timeout maximum duration of the call; null, or more than a hundred years, means no limit
 * @param stallTimeout maximum time without progress while bytes or a response are due; zero, or
 *     more than a hundred years, means no limit. Time in which either end computes a digest, or in
 *     which a rate limit has this end wait, does not count
 */
public record CallLimits(@Nullable Duration timeout, Duration stallTimeout) {
  /** No timeout, and a stall timeout of one minute. */
  public static final CallLimits DEFAULT = new CallLimits(null, Duration.ofMinutes(1));

  public CallLimits {
    if (stallTimeout.isNegative()) {
      throw new IllegalArgumentException("stall timeout " + stallTimeout + " is negative");
    }
    timeout = timeout == null || timeout.compareTo(TimeLeft.LONGEST) > 0 ? null : timeout;
    stallTimeout = stallTimeout.compareTo(TimeLeft.LONGEST) > 0 ? Duration.ZERO : stallTimeout;
  }

  public CallLimits withTimeout(@Nullable Duration value) {
    return new CallLimits(value, stallTimeout);
  }

  public CallLimits withStallTimeout(Duration value) {
    return new CallLimits(timeout, value);
  }
}
