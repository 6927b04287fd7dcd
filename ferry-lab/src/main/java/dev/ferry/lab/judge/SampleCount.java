package dev.ferry.lab.judge;

import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * The number of samples of a row, which BenchmarkDotNet's tables do not print. It follows from two
 * columns: Error is Student's t for 99.9 % times StdDev divided by the root of the number.
 *
 * @param least the smallest number that agrees with the printed digits
 * @param most the largest one
 */
record SampleCount(int least, int most) {
  private static final double QUANTILE = 0.9995;
  private static final int LARGEST = 200;

  /** More samples do not change the quantile, and take ever longer to compute it. */
  private static final double MANY = 10_000;

  /** Beyond this factor the printed digits say too little. */
  private static final double PRECISE = 1.5;

  /**
   * The Error of a StdDev of 1, by the number of samples from 2 on: it falls as that rises. A
   * quantile takes long to compute, and each row is compared with all of them.
   */
  private static final double[] ERRORS =
      IntStream.rangeClosed(2, LARGEST).mapToDouble(n -> quantile(n) / Math.sqrt(n)).toArray();

  /** Returns the number of samples; null if it cannot be derived. */
  static @Nullable SampleCount of(PublishedRow row) {
    Figure error = row.error();
    Figure stdDev = row.stdDev();
    if (error == null || stdDev == null || stdDev.value() <= stdDev.rounding()) {
      return null;
    }
    double low = (error.value() - error.rounding()) / (stdDev.value() + stdDev.rounding());
    double high = (error.value() + error.rounding()) / (stdDev.value() - stdDev.rounding());
    int least = 0;
    for (int n = 2; n <= LARGEST; n++) {
      double quotient = ERRORS[n - 2];
      if (quotient < low) {
        return least == 0 || n - 1 > PRECISE * least ? null : new SampleCount(least, n - 1);
      }
      if (least == 0 && quotient <= high) {
        least = n;
      }
    }
    return null;
  }

  private static double quantile(double n) {
    return new TDistribution(null, n - 1).inverseCumulativeProbability(QUANTILE);
  }

  /**
   * Returns the Error that a table of old versions does not print: it follows from the standard
   * error and the standard deviation.
   *
   * @param figures the figures of a row by the names of their columns
   */
  static Optional<Figure> error(Map<String, Figure> figures) {
    Figure stdErr = figures.get("StdErr");
    Figure stdDev = figures.get("StdDev");
    if (stdErr == null || stdDev == null || stdErr.value() <= 0) {
      return Optional.empty();
    }
    double n = Math.min(MANY, Math.rint(Math.pow(stdDev.value() / stdErr.value(), 2)));
    return n < 2
        ? Optional.empty()
        : Optional.of(new Figure(quantile(n) * stdErr.value(), quantile(n) * stdErr.rounding()));
  }

  @Override
  public String toString() {
    return least == most ? Integer.toString(least) : least + "-" + most;
  }
}
