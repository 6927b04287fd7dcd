package dev.ferry.lab.stats;

import dev.ferry.lab.model.Ceiling;
import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowRun;
import dev.ferry.lab.model.Sample;
import dev.ferry.lab.model.Unit;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Computes the figures of ceilings and selects the ceiling that bounds a row. */
public final class Ceilings {
  /**
   * A row whose median is less than this many times that of its ceiling was faster than it, with
   * the two digits that are printed. The ceiling is then no lower bound.
   */
  public static final double INVALID_BELOW = 0.995;

  private static final Unit UNIT = Unit.MILLIS;

  private Ceilings() {}

  /** Computes the figures of all ceilings, in their order. */
  public static List<Ceiling> of(List<RowRun> runs) {
    return runs.stream().map(Ceilings::ceiling).toList();
  }

  private static Ceiling ceiling(RowRun run) {
    List<Sample> samples = run.samples();
    CeilingName name = CeilingName.of(run.key());
    Row.Time time = Rows.time(run, null);
    return new Ceiling(
        name.label(),
        name.does(),
        run.status(),
        run.reason(),
        time.unit(),
        time.n(),
        time.mean(),
        time.error(),
        time.stdDev(),
        time.median(),
        time.min(),
        time.max(),
        time.mean() == null ? null : (Long) samples.get(0).bytes(),
        time.samples(),
        run.setup().load(),
        name.direction() == null || samples.isEmpty() ? null : ways(samples));
  }

  /** Returns the ways of the forks, each of which chose its own. */
  private static String ways(List<Sample> samples) {
    return samples.stream().map(Sample::protocol).distinct().collect(Collectors.joining(" or "));
  }

  /**
   * Returns the ceiling with the lowest median among those that apply; null if none was measured
   * with the load of the row.
   */
  static @Nullable Ceiling lowest(
      List<CeilingName> applying, @Nullable Load load, List<Ceiling> measured) {
    List<String> labels = applying.stream().map(CeilingName::label).toList();
    return measured.stream()
        .filter(c -> labels.contains(c.name()) && c.median() != null)
        .filter(c -> Objects.equals(c.load(), load))
        .min(Comparator.comparingDouble(Ceilings::median))
        .orElse(null);
  }

  /**
   * Returns the median of a row divided by the median of its ceiling; null if the ceiling took no
   * time.
   *
   * @param nanos the median of the row in nanoseconds
   */
  static @Nullable Double times(double nanos, Ceiling ceiling) {
    return median(ceiling) == 0 ? null : (Double) (nanos / UNIT.nanos() / median(ceiling));
  }

  private static double median(Ceiling ceiling) {
    return Objects.requireNonNull(ceiling.median());
  }
}
