package dev.ferry.lab.stats;

import org.jspecify.annotations.Nullable;

/**
 * The time of one row relative to another.
 *
 * @param value the ratio of the means
 * @param stdDev the ratio times the square root of the sum of the two squared coefficients of
 *     variation; null if one of the rows has too few samples
 */
public record Ratio(double value, @Nullable Double stdDev) {
  /** Returns the ratio of a row to its baseline; null if the baseline took no time. */
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
