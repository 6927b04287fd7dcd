package dev.ferry.lab.model;

import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one fork of a row.
 *
 * @param round the round, from 0
 * @param n number of samples
 * @param median the median of the times, in the unit of the row
 * @param cpuMillis mean CPU time per operation in milliseconds; null if not known
 * @param allocatedBytes mean allocated heap per operation in bytes; null if not known
 * @param disturbance the sums over the samples of what ran beside the row
 */
public record ForkFigures(
    int round,
    int n,
    double median,
    @Nullable Double cpuMillis,
    @Nullable Double allocatedBytes,
    Disturbance disturbance) {
  public ForkFigures {
    if (n < 1 || !(median >= 0)) {
      throw new IllegalArgumentException("a fork has %d samples of %s".formatted(n, median));
    }
  }

  /**
   * Returns the time of a row from its forks, in their unit: the geometric mean of their medians.
   * Ratios are quotients of it. Empty without forks.
   */
  public static OptionalDouble typical(List<ForkFigures> forks) {
    OptionalDouble log = forks.stream().mapToDouble(f -> Math.log(f.median())).average();
    return log.isPresent() ? OptionalDouble.of(Math.exp(log.getAsDouble())) : log;
  }
}
