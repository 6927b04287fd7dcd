package dev.ferry.lab.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A ceiling with all its samples.
 *
 * @param key the ceiling
 * @param status the result
 * @param reason why it failed or was skipped, else null
 * @param samples the samples in order of measurement
 */
public record CeilingRun(
    CeilingKey key, Status status, @Nullable String reason, List<Sample> samples) {
  public CeilingRun {
    samples = List.copyOf(samples);
  }
}
