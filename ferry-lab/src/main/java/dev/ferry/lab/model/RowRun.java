package dev.ferry.lab.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row with all its samples.
 *
 * @param key the row
 * @param baseline the method with which it is compared; null if there is none
 * @param status the result
 * @param reason why it failed or was skipped, else null
 * @param setup its setup
 * @param unit the unit of its times
 * @param ceilings the ceilings that apply; the fastest one with the row's load bounds the row; may
 *     be empty
 * @param samples the samples in order of measurement
 * @param disturbed the forks that were disturbed
 */
public record RowRun(
    RowKey key,
    @Nullable String baseline,
    Status status,
    @Nullable String reason,
    Row.Setup setup,
    Unit unit,
    List<CeilingName> ceilings,
    List<Sample> samples,
    List<DisturbedFork> disturbed) {
  public RowRun {
    ceilings = List.copyOf(ceilings);
    samples = List.copyOf(samples);
    disturbed = List.copyOf(disturbed);
  }
}
