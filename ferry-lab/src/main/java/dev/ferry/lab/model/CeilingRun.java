package dev.ferry.lab.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A ceiling with all that was measured of it.
 *
 * @param key the ceiling
 * @param status what became of it
 * @param reason why it failed or was skipped, else null
 * @param samples in the order they were measured
 */
public record CeilingRun(
    CeilingKey key, Status status, @Nullable String reason, List<Sample> samples) {
  public CeilingRun {
    samples = List.copyOf(samples);
  }
}
