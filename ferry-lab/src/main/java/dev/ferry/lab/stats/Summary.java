package dev.ferry.lab.stats;

import dev.ferry.lab.model.Criteria;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.math3.stat.descriptive.moment.Mean;
import org.apache.commons.math3.stat.descriptive.moment.StandardDeviation;
import org.apache.commons.math3.stat.descriptive.rank.Median;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of a set of samples, in their unit.
 *
 * @param n number of samples, at least 1
 * @param mean arithmetic mean
 * @param error half of the 99.9 % confidence interval of the mean: by Student's t over the means of
 *     the forks, since the samples of a fork are not independent; null for fewer than three forks,
 *     with which it says nothing
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

  /** Summarizes the samples of each fork, which are in any order. No sample is discarded. */
  public static Summary of(List<double[]> forks) {
    double[] samples = forks.stream().flatMapToDouble(Arrays::stream).toArray();
    if (samples.length == 0) {
      throw new IllegalArgumentException("there are no samples");
    }
    int n = samples.length;
    double[] means = forks.stream().mapToDouble(new Mean()::evaluate).toArray();
    return new Summary(
        n,
        new Mean().evaluate(samples),
        means.length < Criteria.LEAST_FORKS ? null : (Double) error(means),
        n < 2 ? null : (Double) new StandardDeviation().evaluate(samples),
        new Median().evaluate(samples),
        Arrays.stream(samples).min().orElseThrow(),
        Arrays.stream(samples).max().orElseThrow());
  }

  private static double error(double[] means) {
    return Intervals.quantile(means.length - 1, CONFIDENCE)
        * new StandardDeviation().evaluate(means)
        / Math.sqrt(means.length);
  }

  /** Returns the mean divided by that of a baseline; null if the baseline took no time. */
  private @Nullable Double ratio(Summary baseline) {
    return baseline.mean == 0 ? null : (Double) (mean / baseline.mean);
  }

  /**
   * Returns the quotient of the means times the square root of the sum of the two squared
   * coefficients of variation; null if there is no quotient or one of the two has too few samples.
   */
  @Nullable Double ratioStdDev(Summary baseline) {
    Double ratio = ratio(baseline);
    Double a = variation();
    Double b = baseline.variation();
    return ratio == null || a == null || b == null ? null : (Double) (ratio * Math.hypot(a, b));
  }

  /** Returns the coefficient of variation; null if it is not defined. */
  private @Nullable Double variation() {
    return stdDev == null || mean == 0 ? null : stdDev / mean;
  }
}
