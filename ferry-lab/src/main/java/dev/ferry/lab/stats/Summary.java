package dev.ferry.lab.stats;

import java.util.Arrays;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.moment.Mean;
import org.apache.commons.math3.stat.descriptive.moment.StandardDeviation;
import org.apache.commons.math3.stat.descriptive.rank.Median;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of a set of samples, in their unit.
 *
 * @param n number of samples, at least 1
 * @param mean arithmetic mean
 * @param error half of the 99.9 % confidence interval of the mean by Student's t; null for one
 *     sample
 * @param stdDev standard deviation (n - 1); null for one sample
 * @param median median of the samples
 * @param min smallest sample
 * @param max largest sample
 */
public record Summary(
    int n,
    double mean,
    @Nullable Double error,
    @Nullable Double stdDev,
    double median,
    double min,
    double max) {
  private static final double CONFIDENCE = 0.999;

  /** Summarizes samples in any order. No sample is discarded. */
  public static Summary of(double[] samples) {
    if (samples.length == 0) {
      throw new IllegalArgumentException("there are no samples");
    }
    int n = samples.length;
    Double stdDev = n < 2 ? null : new StandardDeviation().evaluate(samples);
    return new Summary(
        n,
        new Mean().evaluate(samples),
        stdDev == null ? null : t(n) * stdDev / Math.sqrt(n),
        stdDev,
        new Median().evaluate(samples),
        Arrays.stream(samples).min().orElseThrow(),
        Arrays.stream(samples).max().orElseThrow());
  }

  private static double t(int n) {
    return new TDistribution(n - 1).inverseCumulativeProbability(1 - (1 - CONFIDENCE) / 2);
  }

  /** Returns the coefficient of variation; null if it is not defined. */
  @Nullable Double variation() {
    return stdDev == null || mean == 0 ? null : stdDev / mean;
  }
}
