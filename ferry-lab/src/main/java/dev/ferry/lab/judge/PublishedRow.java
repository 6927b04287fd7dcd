package dev.ferry.lab.judge;

import dev.ferry.lab.model.Interval;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A row of a published table. A figure is null if the table has none. Times are in nanoseconds.
 *
 * @param method the name of the method
 * @param parameters the values by name, in the order of the columns
 * @param printedMean the mean as printed
 * @param mean the mean
 * @param error half of the 99.9 % confidence interval of the mean
 * @param stdDev the standard deviation
 * @param median the median
 * @param ratio the printed ratio to the baseline
 * @param allocated allocated bytes per operation
 * @param allocRatio the printed ratio of the allocated bytes to the baseline's
 */
record PublishedRow(
    String method,
    Map<String, String> parameters,
    String printedMean,
    @Nullable Figure mean,
    @Nullable Figure error,
    @Nullable Figure stdDev,
    @Nullable Figure median,
    @Nullable Figure ratio,
    @Nullable Figure allocated,
    @Nullable Figure allocRatio) {
  /** Returns the method and the values, for instance {@code HttpClient 4096 False}. */
  String name() {
    return parameters.isEmpty() ? method : method + " " + String.join(" ", parameters.values());
  }

  /** Returns the error as a part of the mean; null if one of them is missing. */
  @Nullable Double relativeError() {
    return error == null || mean == null || mean.value() == 0
        ? null
        : (Double) (error.value() / mean.value());
  }

  /** Returns the mean with its interval; null if there is none. */
  @Nullable Interval interval() {
    return mean == null || error == null
        ? null
        : new Interval(mean.value(), mean.value() - error.value(), mean.value() + error.value());
  }
}
