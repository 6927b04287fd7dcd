package dev.ferry.load;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * The latency that a server has to keep.
 *
 * @param percentile above 0, below 100
 * @param nanos the latency that this part of all arrivals must not exceed, above 0
 */
public record Limit(double percentile, long nanos) {
  private static final double PERCENT = 100;

  /** Which part of all arrivals has succeeded within the latency, from 0 to 1. */
  double within(OperationResult result) {
    return result.arrivals() == 0
        ? 0
        : (double) result.latencies().getCountBetweenValues(0, nanos) / result.arrivals();
  }

  /** Whether enough arrivals have succeeded within the latency. Those that failed have not. */
  boolean held(OperationResult result) {
    return within(result) >= percentile / PERCENT;
  }

  /** The form on the command line, such as {@code p99=50ms}. */
  @Override
  public String toString() {
    String number =
        percentile == Math.rint(percentile)
            ? Long.toString((long) percentile)
            : Double.toString(percentile);
    return String.format(Locale.ROOT, "p%s=%dms", number, TimeUnit.NANOSECONDS.toMillis(nanos));
  }
}
