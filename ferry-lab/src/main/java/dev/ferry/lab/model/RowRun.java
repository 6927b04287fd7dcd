package dev.ferry.lab.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row with all that was measured of it.
 *
 * @param key the row
 * @param baseline the method it is compared with, null where there is none
 * @param status what became of it
 * @param reason why it failed or was skipped, else null
 * @param codec what encodes
 * @param processes how many processes share the work
 * @param load what a sample does; null for the run's own file, once
 * @param unit of its times
 * @param flags of its JVM beside those that all have
 * @param ceilings the fastest of them, with the row's load, bounds the row; may be empty
 * @param samples in the order they were measured
 */
public record RowRun(
    RowKey key,
    @Nullable String baseline,
    Status status,
    @Nullable String reason,
    Codec codec,
    int processes,
    @Nullable Load load,
    Unit unit,
    List<String> flags,
    List<CeilingName> ceilings,
    List<Sample> samples) {
  public RowRun {
    flags = List.copyOf(flags);
    ceilings = List.copyOf(ceilings);
    samples = List.copyOf(samples);
  }
}
