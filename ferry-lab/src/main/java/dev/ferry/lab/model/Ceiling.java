package dev.ferry.lab.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A ceiling of a run document: how fast the machine does one part of the work. A figure is null if
 * there are too few samples for it.
 *
 * @param name the name of the ceiling, as in {@link CeilingName#label}
 * @param does a one-line description
 * @param status the result
 * @param reason why the ceiling failed or was skipped
 * @param unit the unit of mean, error, stdDev, median, min, max and samples: {@code ms}
 * @param n number of samples
 * @param mean arithmetic mean
 * @param error half of the 99.9 % confidence interval of the mean (Student's t over the means of
 *     the forks); null with one fork
 * @param stdDev standard deviation of the samples (n - 1)
 * @param median median of the samples
 * @param min smallest sample
 * @param max largest sample
 * @param bytes unencoded bytes per operation
 * @param samples all samples in order of measurement; a sample of several operations is their mean
 * @param load what a sample transfers; null for the run's file, once
 * @param way the fastest of several ways, which was measured; null if there is only one
 */
public record Ceiling(
    String name,
    String does,
    Status status,
    @Nullable String reason,
    Unit unit,
    int n,
    @Nullable Double mean,
    @Nullable Double error,
    @Nullable Double stdDev,
    @Nullable Double median,
    @Nullable Double min,
    @Nullable Double max,
    @Nullable Long bytes,
    List<Double> samples,
    @Nullable Load load,
    @Nullable String way) {
  /** Returns the name with the load, for display. */
  public String title() {
    return title(name, load);
  }

  static String title(String name, @Nullable Load load) {
    return load == null ? name : name + ", " + load;
  }
}
