package dev.ferry.lab.report;

import dev.ferry.lab.model.Row;
import dev.ferry.lab.stats.Rows;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Objects;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The axis of the times of a table, the same in the page and in the picture. It begins at 0, or is
 * logarithmic if the times of the table are orders of magnitude apart.
 *
 * @param ticks at least two times in the unit of the rows, the first and the last of which are the
 *     ends of the axis
 */
record TimeAxis(List<Double> ticks) {
  /**
   * The axis reaches this many times the longest bar at most. An interval of few forks can be a
   * hundred times as long, and would leave nothing of the bars.
   */
  private static final double BEYOND = 1.5;

  /** A bar shorter than this part of the longest one shows nothing on an axis that begins at 0. */
  private static final double SHORTEST = 0.02;

  /** The shortest bar of a logarithmic axis begins at a time shorter by at least this factor. */
  private static final double SPACE = 0.8;

  private static final double TICKS = 5;
  private static final MathContext PRECISION = new MathContext(6);

  /** Returns an axis on which all bars and, if they are not too long, all intervals are whole. */
  static TimeAxis of(List<Row> rows) {
    List<Double> times =
        rows.stream().map(Row::typicalTime).filter(t -> t != null && t > 0).sorted().toList();
    if (times.isEmpty()) {
      return new TimeAxis(List.of(0.0, 1.0));
    }
    double shortest = times.get(0);
    double longest = times.get(times.size() - 1);
    double farthest =
        rows.stream()
            .map(Rows::interval)
            .filter(Objects::nonNull)
            .mapToDouble(i -> Math.min(i.high(), BEYOND * longest))
            .reduce(longest, Math::max);
    if (shortest < SHORTEST * longest) {
      int first = (int) Math.floor(Math.log10(SPACE * shortest));
      return new TimeAxis(
          Stream.concat(
                  IntStream.range(first, (int) Math.ceil(Math.log10(farthest)))
                      .mapToObj(n -> round(Math.pow(10, n))),
                  Stream.of(round(step(farthest))))
              .toList());
    }
    double step = step(farthest / TICKS);
    return new TimeAxis(
        IntStream.rangeClosed(0, (int) Math.ceil(farthest / step))
            .mapToObj(n -> round(n * step))
            .toList());
  }

  /** Returns the place of a time, from 0 to 1. A time beyond the axis is at its end. */
  double place(double time) {
    double start = ticks.get(0);
    double end = end();
    double place = start > 0 ? Math.log(time / start) / Math.log(end / start) : time / end;
    return Math.max(0, Math.min(1, place));
  }

  /** Returns the end of the axis. */
  double end() {
    return ticks.get(ticks.size() - 1);
  }

  /** Rounds up to 1, 2 or 5 times a power of ten. */
  private static double step(double step) {
    double power = Math.pow(10, Math.floor(Math.log10(step)));
    return DoubleStream.of(1, 2, 5)
        .map(f -> f * power)
        .filter(s -> s >= step)
        .findFirst()
        .orElse(10 * power);
  }

  /** Removes what the sums of binary fractions add. */
  private static double round(double tick) {
    return BigDecimal.valueOf(tick).round(PRECISION).doubleValue();
  }
}
