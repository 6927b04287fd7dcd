package dev.ferry.lab.stats;

import dev.ferry.lab.model.Ceiling;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RowRun;
import dev.ferry.lab.model.Sample;
import dev.ferry.lab.model.Status;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Turns what was measured of rows into their figures. */
public final class Rows {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double OPERATIONS = 1_000;

  private Rows() {}

  /**
   * The figures of all rows, in their order; a row without a good baseline has no ratios.
   *
   * @param ceilings those of the same run
   */
  public static List<Row> of(List<RowRun> runs, List<Ceiling> ceilings) {
    Map<RowKey, RowRun> byKey =
        runs.stream().collect(Collectors.toMap(RowRun::key, Function.identity()));
    return runs.stream()
        .map(
            run ->
                row(
                    run,
                    run.baseline() == null ? null : byKey.get(run.key().withMethod(run.baseline())),
                    ceilings))
        .toList();
  }

  private static Row row(RowRun run, @Nullable RowRun baseline, List<Ceiling> ceilings) {
    if (!counts(run)) {
      return empty(run);
    }
    RowRun base = baseline != null && counts(baseline) ? baseline : null;
    List<Sample> samples = run.samples();
    Summary time = times(samples);
    Ratio ratio = base == null ? null : Ratio.of(time, times(base.samples()));
    Double allocated = mean(samples, Sample::allocatedBytes, 1);
    Sample any = samples.get(0);
    Ceiling ceiling = Ceilings.lowest(run.ceilings(), any.bytes(), ceilings);
    return new Row(
        run.key().suite(),
        run.key().table(),
        run.key().method(),
        run.key().parameters(),
        run.baseline(),
        run.status(),
        run.reason(),
        "ms",
        time.n(),
        time.mean(),
        time.error(),
        time.stdDev(),
        time.median(),
        time.min(),
        time.max(),
        ratio == null ? null : (Double) ratio.value(),
        ratio == null ? null : ratio.stdDev(),
        mean(samples, Sample::young, OPERATIONS),
        mean(samples, Sample::old, OPERATIONS),
        allocated,
        base == null ? null : quotient(allocated, mean(base.samples(), Sample::allocatedBytes, 1)),
        mean(samples, Sample::cpuNanos, 1 / NANOS_PER_MILLI),
        max(samples, Sample::directPeakBytes),
        ceiling == null ? null : ceiling.name(),
        ceiling == null ? null : Ceilings.times(time.median(), ceiling),
        run.processes(),
        run.flags(),
        any.protocol(),
        any.encoding(),
        run.codec(),
        any.bytes(),
        mean(samples, Sample::wireBytes, 1),
        true,
        millis(samples));
  }

  private static boolean counts(RowRun run) {
    return run.status() == Status.OK && !run.samples().isEmpty();
  }

  private static Row empty(RowRun run) {
    RowKey key = run.key();
    return new Row(
        key.suite(),
        key.table(),
        key.method(),
        key.parameters(),
        run.baseline(),
        run.status(),
        run.reason(),
        "ms",
        run.samples().size(),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        run.processes(),
        run.flags(),
        null,
        null,
        run.codec(),
        null,
        null,
        false,
        millis(run.samples()));
  }

  static Summary times(List<Sample> samples) {
    return Summary.of(samples.stream().mapToDouble(s -> s.nanos() / NANOS_PER_MILLI).toArray());
  }

  static List<Double> millis(List<Sample> samples) {
    return samples.stream().map(s -> s.nanos() / NANOS_PER_MILLI).toList();
  }

  /** The mean of a figure times a factor; null where a sample does not have it. */
  private static @Nullable Double mean(List<Sample> samples, Figure figure, double factor) {
    double sum = 0;
    for (Sample sample : samples) {
      Long value = figure.of(sample);
      if (value == null) {
        return null;
      }
      sum += value;
    }
    return sum / samples.size() * factor;
  }

  private static @Nullable Long max(List<Sample> samples, Figure figure) {
    long max = Long.MIN_VALUE;
    for (Sample sample : samples) {
      Long value = figure.of(sample);
      if (value == null) {
        return null;
      }
      max = Math.max(max, value);
    }
    return max;
  }

  /** A figure that not every sample has. */
  @FunctionalInterface
  private interface Figure {
    @Nullable Long of(Sample sample);
  }

  private static @Nullable Double quotient(@Nullable Double a, @Nullable Double b) {
    return a == null || b == null || b == 0 ? null : a / b;
  }
}
