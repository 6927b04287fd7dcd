package dev.ferry.lab.stats;

import dev.ferry.lab.model.Ceiling;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.Disturbance;
import dev.ferry.lab.model.ForkFigures;
import dev.ferry.lab.model.Interval;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.Part;
import dev.ferry.lab.model.ProcessUse;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RowRun;
import dev.ferry.lab.model.Sample;
import dev.ferry.lab.model.Sample.Usage;
import dev.ferry.lab.model.Status;
import dev.ferry.lab.model.Unit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Computes the figures of rows from their samples. */
public final class Rows {
  private static final double NANOS_PER_MILLI = Unit.MILLIS.nanos();
  private static final double OPERATIONS = 1_000;

  private Rows() {}

  /**
   * Computes the figures of all rows, in their order. A row has no ratios if its baseline has no
   * valid result or a different compression level.
   *
   * @param ceilings the ceilings of the same run
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

  /**
   * Returns the 95 % interval of a row's time, in its unit, from the medians of its forks; null
   * with fewer than three forks, whose interval says nothing.
   */
  public static @Nullable Interval interval(Row row) {
    List<Double> medians = row.forks().stream().map(ForkFigures::median).toList();
    return medians.size() < Criteria.LEAST_FORKS || medians.stream().anyMatch(m -> m <= 0)
        ? null
        : Intervals.mean(medians, Criteria.DEFAULT.confidence());
  }

  private static Row row(RowRun run, @Nullable RowRun baseline, List<Ceiling> ceilings) {
    if (!counts(run)) {
      return empty(run);
    }
    RowRun base =
        baseline != null
                && counts(baseline)
                && Codec.sameLevel(run.setup().codec(), baseline.setup().codec())
            ? baseline
            : null;
    List<Sample> samples = run.samples();
    int operations = operations(run);
    Double allocated = mean(samples, Sample::allocatedBytes, 1.0 / operations);
    Row.Time time = time(run, base);
    Sample any = samples.get(0);
    Ceiling ceiling = Ceilings.lowest(run.ceilings(), run.setup().load(), ceilings);
    Double allocRatio =
        base == null
            ? null
            : quotient(
                allocated, mean(base.samples(), Sample::allocatedBytes, 1.0 / operations(base)));
    return new Row(
        run.key(),
        null,
        run.baseline(),
        run.status(),
        run.reason(),
        run.setup(),
        new Row.Work(
            any.bytes(), mean(samples, Sample::wireBytes, 1), any.protocol(), any.encoding(), true),
        time,
        new Row.Cpu(
            mean(samples, Sample::cpuNanos, 1 / NANOS_PER_MILLI / operations),
            mean(samples, Sample::switches, 1.0 / operations)),
        new Row.Memory(
            allocated,
            allocRatio,
            mean(samples, Sample::young, OPERATIONS / operations),
            mean(samples, Sample::old, OPERATIONS / operations),
            max(samples, Sample::heapPeakBytes),
            max(samples, Sample::directPeakBytes)),
        ceiling == null
            ? Row.Bound.NONE
            : new Row.Bound(
                ceiling.name(),
                Ceilings.times(
                    Objects.requireNonNull(time.median()) * run.unit().nanos(), ceiling)),
        Latencies.of(samples),
        side(samples, operations, Sample::client),
        side(samples, operations, Sample::server),
        parts(samples),
        forks(run),
        run.disturbed(),
        null);
  }

  /**
   * Returns the times of a row, or of a ceiling; without figures if it does not count.
   *
   * @param base the row to which ratios refer, which counts; null for none
   */
  static Row.Time time(RowRun run, @Nullable RowRun base) {
    Unit unit = run.unit();
    List<Double> values = values(run.samples(), operations(run), unit);
    if (!counts(run)) {
      return Row.Time.of(unit, values);
    }
    Summary time = times(run);
    return new Row.Time(
        unit,
        time.n(),
        values,
        time.mean(),
        time.error(),
        time.stdDev(),
        time.median(),
        time.min(),
        time.max(),
        base == null ? null : ratio(forks(run), forks(base)),
        base == null ? null : time.ratioStdDev(times(base)));
  }

  /** Returns the quotient of two typical times of forks; null if there is none. */
  private static @Nullable Double ratio(List<ForkFigures> row, List<ForkFigures> base) {
    double ratio =
        ForkFigures.typical(row).orElse(Double.NaN) / ForkFigures.typical(base).orElse(Double.NaN);
    return Double.isFinite(ratio) ? (Double) ratio : null;
  }

  private static List<ForkFigures> forks(RowRun run) {
    int operations = operations(run);
    return byFork(run.samples()).stream()
        .map(
            fork ->
                new ForkFigures(
                    fork.get(0).round(),
                    fork.size(),
                    Summary.of(List.of(array(fork, operations, run.unit()))).median(),
                    mean(fork, Sample::cpuNanos, 1 / NANOS_PER_MILLI / operations),
                    mean(fork, Sample::allocatedBytes, 1.0 / operations),
                    Disturbance.sum(fork.stream().map(Sample::disturbance).toList())))
        .toList();
  }

  /** Returns the samples of each fork, in the order of the rounds. */
  private static List<List<Sample>> byFork(List<Sample> samples) {
    return List.copyOf(
        samples.stream()
            .collect(Collectors.groupingBy(Sample::round, LinkedHashMap::new, Collectors.toList()))
            .values());
  }

  private static boolean counts(RowRun run) {
    return run.status() == Status.OK && !run.samples().isEmpty();
  }

  private static Row empty(RowRun run) {
    return new Row(
        run.key(),
        null,
        run.baseline(),
        run.status(),
        run.reason(),
        run.setup(),
        Row.Work.NONE,
        time(run, null),
        Row.Cpu.UNKNOWN,
        Row.Memory.UNKNOWN,
        Row.Bound.NONE,
        null,
        null,
        null,
        List.of(),
        List.of(),
        run.disturbed(),
        null);
  }

  private static int operations(RowRun run) {
    Load load = run.setup().load();
    return load == null ? 1 : load.operations();
  }

  /** Returns the means of additional figures, in the order of the first sample. */
  private static List<Part> parts(List<Sample> samples) {
    return samples.get(0).parts().stream()
        .map(p -> new Part(p.name(), p.unit(), mean(samples, p.name())))
        .toList();
  }

  private static double mean(List<Sample> samples, String part) {
    return samples.stream()
        .flatMap(s -> s.parts().stream())
        .filter(p -> p.name().equals(part))
        .mapToDouble(Part::value)
        .average()
        .orElseThrow();
  }

  /** Returns the figures of the client or the server; null if both share a process. */
  private static @Nullable ProcessUse side(
      List<Sample> samples, int operations, Function<Sample, @Nullable Usage> end) {
    List<Usage> usages = samples.stream().map(end).filter(Objects::nonNull).toList();
    if (usages.isEmpty()) {
      return null;
    }
    return new ProcessUse(
        average(usages, Usage::allocatedBytes) / operations,
        average(usages, Usage::cpuNanos) / NANOS_PER_MILLI / operations,
        average(usages, Usage::young) * OPERATIONS / operations,
        average(usages, Usage::old) * OPERATIONS / operations,
        usages.stream().mapToLong(Usage::heapPeakBytes).max().orElseThrow(),
        usages.stream().mapToLong(Usage::directPeakBytes).max().orElseThrow());
  }

  private static double average(List<Usage> usages, ToLongFunction<Usage> figure) {
    return usages.stream().mapToLong(figure).average().orElseThrow();
  }

  private static Summary times(RowRun run) {
    int operations = operations(run);
    return Summary.of(
        byFork(run.samples()).stream().map(fork -> array(fork, operations, run.unit())).toList());
  }

  private static double[] array(List<Sample> samples, int operations, Unit unit) {
    return values(samples, operations, unit).stream().mapToDouble(m -> m).toArray();
  }

  private static List<Double> values(List<Sample> samples, int operations, Unit unit) {
    return samples.stream().map(s -> s.nanos() / unit.nanos() / operations).toList();
  }

  /** Returns the mean of a figure times a factor; null if one sample does not have the figure. */
  private static <T> @Nullable Double mean(List<T> samples, Figure<T> figure, double factor) {
    double sum = 0;
    for (T sample : samples) {
      Long value = figure.of(sample);
      if (value == null) {
        return null;
      }
      sum += value;
    }
    return sum / samples.size() * factor;
  }

  private static <T> @Nullable Long max(List<T> samples, Figure<T> figure) {
    long max = Long.MIN_VALUE;
    for (T sample : samples) {
      Long value = figure.of(sample);
      if (value == null) {
        return null;
      }
      max = Math.max(max, value);
    }
    return max;
  }

  /** A figure that may be missing in a sample. */
  @FunctionalInterface
  private interface Figure<T> {
    @Nullable Long of(T sample);
  }

  private static @Nullable Double quotient(@Nullable Double a, @Nullable Double b) {
    return a == null || b == null || b == 0 ? null : a / b;
  }
}
