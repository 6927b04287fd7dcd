package dev.ferry.lab.stats;

import org.jspecify.annotations.Nullable;

/**
 * How one row's time compares with another's.
 *
 * @param value ratio of the means
 * @param stdDev the ratio times the root of the two squared coefficients of variation; null where
 *     one of them has too few samples
 */
public record Ratio(double value, @Nullable Double stdDev) {
  /** The ratio of a row to its baseline; null where the baseline took no time at all. */
  public static @Nullable Ratio of(Summary row, Summary baseline) {
    if (baseline.mean() == 0) {
      return null;
    }
    double value = row.mean() / baseline.mean();
    Double a = row.variation();
    Double b = baseline.variation();
    return new Ratio(value, a == null || b == null ? null : value * Math.hypot(a, b));
  }
}
