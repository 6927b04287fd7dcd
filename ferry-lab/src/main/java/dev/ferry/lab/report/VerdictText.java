package dev.ferry.lab.report;

import dev.ferry.lab.model.Comparison;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.Interval;
import dev.ferry.lab.model.RootText;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Describes comparisons and their verdicts in words, the same in all reports. */
public final class VerdictText {
  private static final double PERCENT = 100;

  private VerdictText() {}

  /**
   * Returns an interval, for instance {@code 0.92 to 1.07}; {@code -} for null, and for one that
   * spans so much that it says nothing.
   */
  public static String interval(@Nullable Interval interval) {
    return interval == null || interval.isWide()
        ? "-"
        : RootText.format("%.2f to %.2f", interval.low(), interval.high());
  }

  /**
   * Returns how many times something is faster or slower, for instance {@code 1.9 to 2.4 times}.
   * The ends are rounded outwards, and a wide interval is said by its lower end alone.
   */
  public static String times(Interval factor) {
    int places = factor.low() < 1.2 || factor.high() < 2 ? 2 : factor.low() < 20 ? 1 : 0;
    double unit = Math.pow(10, places);
    String digits = "%,." + places + "f";
    String low = RootText.format(digits, Math.floor(factor.low() * unit) / unit);
    String high = RootText.format(digits, Math.ceil(factor.high() * unit) / unit);
    return factor.isWide()
        ? "at least " + low + " times"
        : low.equals(high) ? low + " times" : low + " to " + high + " times";
  }

  /** Returns the verdict with its size, for instance {@code 1.9 to 2.3 times faster than X}. */
  public static String of(Comparison comparison) {
    Interval time = comparison.time();
    String with = comparison.with();
    return switch (comparison.verdict()) {
      case FASTER ->
          "%s faster than %s".formatted(times(Objects.requireNonNull(time).inverse()), with);
      case SLOWER -> "%s slower than %s".formatted(times(Objects.requireNonNull(time)), with);
      case SAME -> "as fast as %s (%s of its time)".formatted(with, interval(time));
      case NOT_DECIDED -> "not decided against " + with + why(comparison);
      case NOT_COMPARABLE -> "not comparable with %s: %s".formatted(with, comparison.reason());
    };
  }

  /** Returns in brackets why a comparison is not decided; empty if there is nothing to say. */
  static String why(Comparison comparison) {
    Interval time = comparison.time();
    List<String> parts = new ArrayList<>();
    if (time != null) {
      parts.add(time.isWide() ? "its forks differ too much" : interval(time) + " of its time");
    }
    if (comparison.reason() != null) {
      parts.add(comparison.reason());
    }
    return parts.isEmpty() ? "" : " (" + String.join("; ", parts) + ")";
  }

  /** Returns the criteria of a run, and what each of its verdicts means. */
  static List<String> legend(RunDocument run) {
    Criteria criteria = run.criteria();
    List<Comparison> comparisons =
        run.rows().stream().map(Row::comparison).flatMap(Stream::ofNullable).toList();
    if (comparisons.isEmpty()) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    lines.add(
        "A ratio comes with its 95 %% interval, computed from the medians of the forks%s. Threshold: %s. Noise floor%s."
            .formatted(
                criteria.looks() > 1
                    ? " and corrected for " + criteria.looks() + " looks at the results"
                    : "",
                percent(criteria.threshold()),
                floor(criteria)));
    for (Verdict verdict : Verdict.values()) {
      if (comparisons.stream().anyMatch(c -> c.verdict() == verdict)) {
        lines.add(verdict.label() + ": " + verdict.meaning());
      }
    }
    return lines;
  }

  private static String floor(Criteria criteria) {
    Double floor = criteria.floor();
    Map<String, Double> floors = criteria.floors();
    if (floor == null) {
      return ": unknown, since no baseline has enough forks";
    }
    String why = ", by which a baseline differs from itself in other forks";
    return floors == null || floors.size() < 2
        ? why + ": " + percent(floor)
        : why
            + ": "
            + floors.entrySet().stream()
                .map(table -> percent(table.getValue()) + " in " + table.getKey())
                .collect(Collectors.joining(", "));
  }

  /** Returns how much more a ratio is than 1, for instance {@code 7 %}. */
  public static String more(double ratio) {
    return RootText.format("%.0f %%", (ratio - 1) * PERCENT);
  }

  /** Returns a part as a percentage, for instance {@code 5.0 %}. */
  static String percent(double part) {
    return RootText.format("%.1f %%", part * PERCENT);
  }
}
