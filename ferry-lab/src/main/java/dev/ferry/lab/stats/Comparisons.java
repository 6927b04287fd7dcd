package dev.ferry.lab.stats;

import dev.ferry.lab.model.Comparison;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.ForkFigures;
import dev.ferry.lab.model.Interval;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.Verdict;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compares rows by their forks and decides which one is faster. */
public final class Comparisons {
  /** More forks than this are not worth a forecast. */
  private static final int MANY_FORKS = 1_000;

  /** Why two rows have no verdict. */
  private static final String TOO_FEW_FORKS = "too few forks";

  /** A row within this factor of its ceiling is as fast as the machine. */
  private static final double AT_CEILING = 1.1;

  private Comparisons() {}

  /** Returns the rows, each with the comparison with its baseline. */
  public static List<Row> withBaselines(List<Row> rows, Criteria criteria) {
    Map<RowKey, Row> byKey = rows.stream().collect(Collectors.toMap(Row::key, Function.identity()));
    return rows.stream()
        .map(
            row -> {
              Row base =
                  row.baseline() == null || row.isBaseline()
                      ? null
                      : byKey.get(row.key().withMethod(row.baseline()));
              return base == null ? row : row.with(compare(row, base, true, criteria));
            })
        .toList();
  }

  /**
   * Returns rows whose comparisons decide nothing for a reason that concerns the whole run.
   *
   * @param reason the reason; null if there is none, which changes nothing
   */
  public static List<Row> unless(@Nullable String reason, List<Row> rows) {
    return reason == null
        ? rows
        : rows.stream()
            .map(
                row -> {
                  Comparison comparison = row.comparison();
                  return comparison == null ? row : row.with(none(comparison.with(), reason));
                })
            .toList();
  }

  /**
   * Returns the criteria of a run, with the noise floors that its rows tell.
   *
   * @param threshold the smallest relative difference that matters
   * @param looks how often the run may decide
   */
  public static Criteria criteria(double threshold, int looks, List<Row> rows) {
    Map<String, Double> floors = new LinkedHashMap<>();
    rows.stream()
        .collect(
            Collectors.groupingBy(
                row -> row.key().tableName(), LinkedHashMap::new, Collectors.toList()))
        .forEach(
            (table, own) -> {
              Double floor = floor(own);
              if (floor != null) {
                floors.put(table, floor);
              }
            });
    return new Criteria(
        threshold, floors.values().stream().max(Double::compare).orElse(null), looks, floors);
  }

  /**
   * Returns the noise floor of a table: the largest difference between a baseline and its A/A row,
   * as a part of the time. If no A/A row has two forks, the largest difference between two halves
   * of the forks of a baseline, every second one each; null if no baseline has enough forks either.
   */
  private static @Nullable Double floor(List<Row> rows) {
    Map<RowKey, Double> times = new HashMap<>();
    for (Row row : rows) {
      Double time = row.forks().size() < 2 ? null : row.typicalTime();
      if (time != null) {
        times.put(row.key(), time);
      }
    }
    return times.entrySet().stream()
        .filter(e -> e.getKey().isControl() && times.containsKey(e.getKey().work()))
        .map(e -> Math.log(e.getValue() / Objects.requireNonNull(times.get(e.getKey().work()))))
        .max(Comparator.comparingDouble(Math::abs))
        .or(
            () ->
                rows.stream()
                    .filter(row -> row.isBaseline() && row.forks().size() >= Criteria.LEAST_FORKS)
                    .map(Comparisons::betweenHalves)
                    .max(Comparator.comparingDouble(Math::abs)))
        .map(logarithm -> Math.expm1(Math.abs(logarithm)))
        .orElse(null);
  }

  /** Returns the logarithm of the quotient of the typical times of two halves of a row's forks. */
  private static double betweenHalves(Row row) {
    double[] sums = new double[2];
    int forks = row.forks().size();
    for (int i = 0; i < forks; i++) {
      sums[i % 2] += Math.log(row.forks().get(i).median());
    }
    return sums[0] / ((forks + 1) / 2) - sums[1] / (forks / 2);
  }

  /** Returns the rows of a table and setting that no other of them is faster than. */
  public static List<Row> unbeaten(List<Row> rows, Criteria criteria) {
    return rows.stream()
        .filter(
            row ->
                rows.stream()
                    .noneMatch(
                        other -> compare(other, row, true, criteria).verdict() == Verdict.FASTER))
        .toList();
  }

  /**
   * Compares two rows.
   *
   * @param sameRun whether both are of one run, so that equal rounds ran next to each other
   */
  public static Comparison compare(Row row, Row other, boolean sameRun, Criteria criteria) {
    String obstacle = obstacle(row, other);
    return obstacle == null && !row.sameLevel(other)
        ? none(other.method(), codecs(row, other))
        : compare(row, other, sameRun, criteria, obstacle);
  }

  /**
   * Compares two rows of one run that may have different codecs: the question is then whether to
   * compress, and not which method is faster.
   */
  public static Comparison compareCodecs(Row row, Row other, Criteria criteria) {
    return compare(row, other, true, criteria, obstacle(row, other));
  }

  private static Comparison compare(
      Row row, Row other, boolean sameRun, Criteria criteria, @Nullable String obstacle) {
    if (obstacle != null) {
      return none(other.method(), obstacle);
    }
    if (forks(row, other) < Criteria.LEAST_FORKS) {
      // Two medians are close to each other by chance, or their interval spans everything.
      return new Comparison(
          other.method(),
          Verdict.NOT_DECIDED,
          TOO_FEW_FORKS,
          null,
          null,
          null,
          Criteria.LEAST_FORKS - forks(row, other));
    }
    Criteria own = criteria.of(row.key(), other.key());
    double confidence = own.confidence();
    Interval time = ratio(row, other, ForkFigures::median, sameRun, confidence);
    Verdict verdict = verdict(time, own);
    return new Comparison(
        other.method(),
        verdict,
        limit(row, other),
        time,
        ratio(row, other, ForkFigures::cpuMillis, sameRun, confidence),
        ratio(row, other, ForkFigures::allocatedBytes, sameRun, confidence),
        verdict.decided() ? null : furtherForks(row, other, time, own));
  }

  /** Returns that two rows cannot be compared. */
  static Comparison none(String with, String reason) {
    return new Comparison(with, Verdict.NOT_COMPARABLE, reason, null, null, null, null);
  }

  /** Returns why a ratio would have no meaning; null if it has one. */
  private static @Nullable String obstacle(Row row, Row other) {
    if (!row.measured() || !other.measured()) {
      return (row.measured() ? other : row).method() + " has no figures";
    }
    if (!Objects.equals(row.work().bytes(), other.work().bytes())
        || !sameOperation(row.setup().load(), other.setup().load())) {
      return "they moved different amounts of data";
    }
    return null;
  }

  /** Returns whether an operation of both loads is the same; one may repeat it more often. */
  private static boolean sameOperation(@Nullable Load load, @Nullable Load other) {
    return load == null || other == null
        ? load == other
        : load.operationBytes() == other.operationBytes()
            && load.atOnce() == other.atOnce()
            && load.workers() == other.workers()
            && load.percent() == other.percent();
  }

  private static String codecs(Row row, Row other) {
    return "%s compresses by %s and %s by %s"
        .formatted(row.method(), row.setup().codec(), other.method(), other.setup().codec());
  }

  /** Returns how many forks both rows have at least. */
  static int forks(Row row, Row other) {
    return Math.min(row.forks().size(), other.forks().size());
  }

  private static @Nullable String limit(Row row, Row other) {
    return atCeiling(row) && atCeiling(other)
        ? "both are as fast as their ceiling: the machine decides and not the method"
        : null;
  }

  private static boolean atCeiling(Row row) {
    Double times = row.bound().times();
    return times != null && times >= Ceilings.INVALID_BELOW && times < AT_CEILING;
  }

  private static @Nullable Interval ratio(
      Row row,
      Row other,
      Function<ForkFigures, @Nullable Double> figure,
      boolean sameRun,
      double confidence) {
    Map<Integer, Double> a = byRound(row, figure);
    Map<Integer, Double> b = byRound(other, figure);
    return a.size() < row.forks().size() || b.size() < other.forks().size()
        ? null
        : Intervals.ratio(a, b, sameRun, confidence);
  }

  private static Map<Integer, Double> byRound(
      Row row, Function<ForkFigures, @Nullable Double> figure) {
    Map<Integer, Double> values = new LinkedHashMap<>();
    for (ForkFigures fork : row.forks()) {
      Double value = figure.apply(fork);
      if (value != null) {
        values.put(fork.round(), value);
      }
    }
    return values;
  }

  /**
   * Decides by the interval of the ratio of two times, whatever it was computed from; null decides
   * nothing.
   */
  public static Verdict verdict(@Nullable Interval time, Criteria criteria) {
    if (time == null) {
      return Verdict.NOT_DECIDED;
    }
    double difference = 1 + criteria.smallestDifference();
    double same = 1 + criteria.threshold();
    if (time.high() < 1 / difference) {
      return Verdict.FASTER;
    }
    if (time.low() > difference) {
      return Verdict.SLOWER;
    }
    return time.low() > 1 / same && time.high() < same ? Verdict.SAME : Verdict.NOT_DECIDED;
  }

  /**
   * Returns how many further forks of each row would decide if the estimate stayed the same. The
   * width of an interval falls with the root of the number of forks.
   */
  private static @Nullable Integer furtherForks(
      Row row, Row other, @Nullable Interval time, Criteria criteria) {
    if (time == null) {
      return null;
    }
    double distance = Math.abs(Math.log(time.value()));
    double half = Math.log(time.high() / time.value());
    double need =
        Math.max(
            distance - Math.log1p(criteria.smallestDifference()),
            Math.log1p(criteria.threshold()) - distance);
    if (need <= 0) {
      return null;
    }
    double all = forks(row, other) * Math.pow(half / need, 2);
    return all > MANY_FORKS
        ? null
        : (Integer) Math.max(1, (int) Math.ceil(all) - forks(row, other));
  }
}
