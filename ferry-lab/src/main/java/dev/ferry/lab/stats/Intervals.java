package dev.ferry.lab.stats;

import dev.ferry.lab.model.Interval;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.moment.Mean;
import org.apache.commons.math3.stat.descriptive.moment.Variance;
import org.jspecify.annotations.Nullable;

/**
 * Confidence intervals from forks.
 *
 * <p>The samples of a fork are not independent: a fork compiles and lays out its memory once. The
 * unit of the statistics is therefore the fork (Kalibera and Jones, <i>Rigorous Benchmarking in
 * Reasonable Time</i>, 2013). Each fork contributes one positive number, and all computations use
 * its logarithm, since times are skewed and ratios become differences.
 */
final class Intervals {
  /**
   * The paired interval is used if its width is at most this part of the unpaired one. It must not
   * be 1: the choice of the narrower of two intervals lowers the coverage to 93 %. {@code
   * IntervalsTest} measures the coverage.
   */
  private static final double PAIRING_GAIN = 0.8;

  private Intervals() {}

  /**
   * Returns the ratio of two rows with its interval: that of Welch's t-test for the logarithms, or
   * that of the paired t-test if pairing the forks by round makes it clearly narrower. Null if a
   * row has fewer than two forks or a value that is not positive.
   *
   * @param row the values by round
   * @param base the values by round
   * @param paired whether equal rounds of both rows ran next to each other
   */
  static @Nullable Interval ratio(
      Map<Integer, Double> row, Map<Integer, Double> base, boolean paired, double confidence) {
    double[] a = logs(row.values());
    double[] b = logs(base.values());
    if (a.length < 2 || b.length < 2 || !finite(a) || !finite(b)) {
      return null;
    }
    double errorA = squaredError(a);
    double errorB = squaredError(b);
    double error = errorA + errorB;
    // Welch and Satterthwaite.
    double freedom =
        error == 0
            ? a.length + b.length - 2
            : error * error / (errorA * errorA / (a.length - 1) + errorB * errorB / (b.length - 1));
    double difference = new Mean().evaluate(a) - new Mean().evaluate(b);
    Interval welch = interval(difference, Math.sqrt(error), freedom, confidence);
    if (!paired || !row.keySet().equals(base.keySet())) {
      return welch;
    }
    double[] differences =
        row.entrySet().stream()
            .mapToDouble(e -> Math.log(e.getValue() / base.getOrDefault(e.getKey(), 1.0)))
            .toArray();
    Interval pairs =
        interval(
            difference, Math.sqrt(squaredError(differences)), differences.length - 1, confidence);
    return width(pairs) <= PAIRING_GAIN * width(welch) ? pairs : welch;
  }

  /** Returns the geometric mean with its interval, of at least two positive values. */
  static Interval mean(Collection<Double> values, double confidence) {
    double[] logs = logs(values);
    return interval(
        new Mean().evaluate(logs), Math.sqrt(squaredError(logs)), logs.length - 1, confidence);
  }

  private static double[] logs(Collection<Double> values) {
    return values.stream().mapToDouble(Math::log).toArray();
  }

  private static boolean finite(double[] values) {
    return Arrays.stream(values).allMatch(Double::isFinite);
  }

  private static double width(Interval interval) {
    return Math.log(interval.high() / interval.low());
  }

  /** Returns the squared standard error of the mean. */
  private static double squaredError(double[] values) {
    return new Variance().evaluate(values) / values.length;
  }

  private static Interval interval(double mean, double error, double freedom, double confidence) {
    double half = quantile(freedom, confidence) * error;
    return new Interval(Math.exp(mean), Math.exp(mean - half), Math.exp(mean + half));
  }

  /** Returns the quantile of Student's t for a two-sided interval. */
  static double quantile(double freedom, double confidence) {
    // Without a generator of random numbers, which takes most of the time to make.
    return new TDistribution(null, freedom).inverseCumulativeProbability(1 - (1 - confidence) / 2);
  }
}
