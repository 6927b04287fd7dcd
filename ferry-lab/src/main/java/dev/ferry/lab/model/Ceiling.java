package dev.ferry.lab.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A ceiling of a run document: how fast the machine does one part of the work. Figures are null
 * where there are too few samples for them.
 *
 * @param name the ceiling's name, as in {@link CeilingName#label}
 * @param does what it does, in one line
 * @param status what became of it
 * @param reason why it failed or was skipped
 * @param unit of mean, error, stdDev, median, min, max and samples: {@code ms}
 * @param n number of samples
 * @param mean arithmetic mean
 * @param error half of the 99.9 % interval of the mean (Student's t over all samples)
 * @param stdDev standard deviation of the samples (n - 1)
 * @param median middle sample
 * @param min least sample
 * @param max greatest sample
 * @param bytes unencoded bytes per operation
 * @param samples every sample, in the order they were measured; the mean of its operations where it
 *     has several
 * @param load what a sample moves; null for the run's own file, once
 */
public record Ceiling(
    String name,
    String does,
    Status status,
    @Nullable String reason,
    String unit,
    int n,
    @Nullable Double mean,
    @Nullable Double error,
    @Nullable Double stdDev,
    @Nullable Double median,
    @Nullable Double min,
    @Nullable Double max,
    @Nullable Long bytes,
    List<Double> samples,
    @Nullable Load load) {
  /** Its name with its load, for people. */
  public String title() {
    return CeilingKey.title(name, load);
  }
}
