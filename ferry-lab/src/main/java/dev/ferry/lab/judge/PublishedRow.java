package dev.ferry.lab.judge;

import dev.ferry.lab.model.Interval;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A row of a published table. A figure is null if the table has none. Times are in nanoseconds.
 *
 * @param part how many lines above the row separate groups
 * @param method the name of the method
 * @param parameters the values by name, in the order of the columns, with those that name the job
 * @param printedMean the mean as printed
 * @param isMarked whether the table says that the row is the baseline
 * @param figures the figures by the names of their columns
 */
record PublishedRow(
    int part,
    String method,
    Map<String, String> parameters,
    String printedMean,
    boolean isMarked,
    Map<String, Figure> figures) {
  /** Returns the mean. */
  @Nullable Figure mean() {
    return figures.get("Mean");
  }

  /** Returns half of the 99.9 % confidence interval of the mean. */
  @Nullable Figure error() {
    return figures.get("Error");
  }

  /** Returns the standard deviation. */
  @Nullable Figure stdDev() {
    return figures.get("StdDev");
  }

  /** Returns the median. */
  @Nullable Figure median() {
    return figures.get("Median");
  }

  /** Returns the printed ratio to the baseline. */
  @Nullable Figure ratio() {
    return figures.get("Ratio");
  }

  /** Returns allocated bytes per operation. */
  @Nullable Figure allocated() {
    return figures.get("Allocated");
  }

  /** Returns the printed ratio of the allocated bytes to the baseline's. */
  @Nullable Figure allocRatio() {
    return figures.get("Alloc Ratio");
  }

  /** Returns the method and the values, for instance {@code HttpClient 4096 False}. */
  String name() {
    return parameters.isEmpty() ? method : method + " " + String.join(" ", parameters.values());
  }

  /** Returns the error as a part of the mean; null if one of them is missing. */
  @Nullable Double relativeError() {
    Figure mean = mean();
    Figure error = error();
    return error == null || mean == null || mean.value() == 0
        ? null
        : (Double) (error.value() / mean.value());
  }

  /** Returns whether the table says that the mean is not exact. */
  boolean isApproximate() {
    return printedMean.startsWith("~") || printedMean.startsWith("\u2248");
  }

  /** Returns the mean with its interval; null if there is none, or the mean is not exact. */
  @Nullable Interval interval() {
    Figure mean = mean();
    Figure error = error();
    return mean == null || error == null || isApproximate()
        ? null
        : new Interval(mean.value(), mean.value() - error.value(), mean.value() + error.value());
  }
}
