package dev.ferry.suites.advice;

import dev.ferry.lab.model.Interval;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.Verdict;
import dev.ferry.lab.report.VerdictText;
import dev.ferry.suites.advice.Claim.Relation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which of the rows of one setting is the fastest. Only rows with enough forks are candidates; the
 * others are named apart.
 */
final class Answer {
  /** A greater difference that is still possible is not said, since it tells nothing. */
  static final double CLOSE = 1.25;

  /**
   * A row whose time is so many times that of another one is not named beside it, although its
   * forks may differ too much for a verdict.
   */
  private static final double FAR = 1.5;

  private static final double PERCENT = 100;

  /** More names than this make no sentence. */
  private static final int MOST_NAMES = 4;

  private final String noun;
  private final MeasuredRows measured;
  private final List<Row> rows;
  private final List<Row> known;
  private final List<Row> rare;

  /** The rows that no other beats, without those of {@link #far}. */
  private final List<Row> near;

  /** The rows that no other beats, but whose time says that they are not the fastest. */
  private final List<Row> far;

  /**
   * Looks at the rows of one setting.
   *
   * @param noun what the rows do, for instance {@code downloads}
   */
  Answer(String noun, MeasuredRows measured, List<Row> rows) {
    this.noun = noun;
    this.measured = measured;
    this.rows = rows;
    this.known =
        rows.stream()
            .filter(Row::hasEnoughForks)
            .sorted(Comparator.comparingDouble(Methods::time))
            .toList();
    this.rare = rows.stream().filter(row -> !row.hasEnoughForks()).toList();
    List<Row> unbeaten = measured.unbeaten(known);
    this.near =
        unbeaten.stream()
            .filter(row -> Methods.time(row) <= FAR * Methods.time(unbeaten.get(0)))
            .toList();
    this.far = unbeaten.subList(near.size(), unbeaten.size());
  }

  /** Returns whether there is something to compare. */
  boolean asks() {
    return rows.size() > 1;
  }

  /** Returns whether enough rows have enough forks. */
  boolean decides() {
    return known.size() > 1;
  }

  String noun() {
    return noun;
  }

  /** Returns that rows have too few forks, for each of them. */
  List<Claim> tooFewForks() {
    return rare.stream().map(row -> Claim.of(row, Relation.TOO_FEW_FORKS)).toList();
  }

  /** Returns the answer, without a period, if the rows decide. */
  Sentence sentence() {
    List<Claim> claims = new ArrayList<>();
    String who =
        near.size() > 1
            ? several(near, claims)
            : far.isEmpty() ? one(near.get(0), claims) : probably(near.get(0), claims);
    far.forEach(row -> claims.add(Claim.of(row, Relation.MAY_BE_FASTEST)));
    String unknown =
        far.isEmpty()
            ? ""
            : "; %s varied too much between forks to be sure".formatted(names(far, " and "));
    return new Sentence(noun + ": " + who + gain(near, claims) + unknown, claims);
  }

  /**
   * Returns how much the best row of gRPC and the best of HTTP differ at most, if both are among
   * the fastest and another row is slower by more than that, so that the client matters more than
   * the protocol.
   */
  Optional<Claim> protocols() {
    Row grpc = near.stream().filter(Methods::isGrpc).findFirst().orElse(null);
    Row http = near.stream().filter(Methods::isHttp).findFirst().orElse(null);
    Row slower = slower(near);
    if (grpc == null || http == null || slower == null) {
      return Optional.empty();
    }
    double slowest = Methods.time(near.get(near.size() - 1));
    return difference(List.of(grpc, http))
        .filter(most -> most.high() <= Methods.time(slower) / slowest)
        .map(most -> new Claim(grpc, Relation.CLOSE, http, most));
  }

  /** Returns which rows have too few forks to be part of the answer; empty if all have enough. */
  Optional<Sentence> rare() {
    return rare.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Sentence(
                "%s %s measured too rarely for a verdict on %s"
                    .formatted(names(rare, " and "), rare.size() == 1 ? "was" : "were", noun),
                tooFewForks()));
  }

  private boolean isFaster(Row row, Row other) {
    return measured.compare(row, other).verdict() == Verdict.FASTER;
  }

  /**
   * A row that is the only one that no other beats has the least time, since times are in order.
   */
  private String one(Row best, List<Claim> claims) {
    claims.add(Claim.of(best, Relation.FASTEST));
    return Methods.describe(best)
        + (rare.isEmpty()
            ? " is the fastest"
            : " is the fastest of the %d with three forks".formatted(known.size()));
  }

  private static String probably(Row best, List<Claim> claims) {
    claims.add(Claim.of(best, Relation.MAY_BE_FASTEST));
    return Methods.describe(best) + " is probably the fastest";
  }

  private String several(List<Row> unbeaten, List<Claim> claims) {
    unbeaten.forEach(row -> claims.add(Claim.of(row, Relation.MAY_BE_FASTEST)));
    Interval most = difference(unbeaten).orElse(null);
    if (most == null) {
      return names(unbeaten, " and ") + " are the fastest (this run cannot say which of them)";
    }
    for (Row row : unbeaten) {
      for (Row other : unbeaten.subList(unbeaten.indexOf(row) + 1, unbeaten.size())) {
        claims.add(new Claim(row, Relation.CLOSE, other, most));
      }
    }
    return names(unbeaten, " and ")
        + " are the fastest (%s apart in this run, at most %s%s)"
            .formatted(
                VerdictText.more(most.value()),
                VerdictText.more(most.high()),
                unbeaten.size() == rows.size() ? ": choose the one you like" : "");
  }

  /**
   * Returns how many times the least time of some rows the greatest is, in whole percentages: what
   * was measured, and what is possible at most. Empty if that is not known or too much.
   */
  private Optional<Interval> difference(List<Row> some) {
    List<Double> times = some.stream().map(Methods::time).toList();
    double apart = Collections.max(times) / Collections.min(times);
    double most = apart;
    for (Row row : some) {
      for (Row other : some.subList(some.indexOf(row) + 1, some.size())) {
        Interval time = measured.compare(row, other).time();
        if (time == null) {
          return Optional.empty();
        }
        most = Math.max(most, Math.max(time.high(), 1 / time.low()));
      }
    }
    return most > CLOSE
        ? Optional.empty()
        : Optional.of(
            new Interval(1 + Math.rint((apart - 1) * PERCENT) / PERCENT, 1, upToPercent(most)));
  }

  /** Rounds a ratio up to a whole percentage. */
  static double upToPercent(double ratio) {
    return 1 + Math.ceil((ratio - 1) * PERCENT) / PERCENT;
  }

  /** Returns by how much some rows are faster than another one; empty if they are not. */
  private String gain(List<Row> some, List<Claim> claims) {
    Row baseline = baseline(some);
    Row other = baseline == null ? slower(some) : baseline;
    if (other == null) {
      return "";
    }
    List<Row> faster = some.stream().filter(row -> isFaster(row, other)).toList();
    List<Interval> factors =
        faster.stream()
            .map(row -> Objects.requireNonNull(measured.compare(row, other).time()).inverse())
            .toList();
    Interval least = Collections.min(factors, Comparator.comparingDouble(Interval::low));
    // The intervals of several rows have no upper end in common that would tell anything.
    Interval all =
        factors.size() == 1
            ? least
            : new Interval(least.value(), least.low(), Double.POSITIVE_INFINITY);
    faster.forEach(row -> claims.add(new Claim(row, Relation.FASTER, other, all)));
    String who =
        faster.size() < some.size()
            ? joined(faster.stream().map(Row::method).toList(), " and ") + " "
            : some.size() == 1 ? "" : some.size() == 2 ? "both " : "all ";
    return ", %s%s faster than %s".formatted(who, VerdictText.times(all), Methods.describe(other));
  }

  /** Returns the baseline if one of some rows is faster than it. */
  private @Nullable Row baseline(List<Row> some) {
    return known.stream()
        .filter(row -> row.isBaseline() && !some.contains(row))
        .filter(row -> some.stream().anyMatch(one -> isFaster(one, row)))
        .findFirst()
        .orElse(null);
  }

  /** Returns the first row that all of some rows are faster than. */
  private @Nullable Row slower(List<Row> some) {
    return known.stream()
        .filter(row -> !some.contains(row))
        .filter(row -> some.stream().allMatch(one -> isFaster(one, row)))
        .findFirst()
        .orElse(null);
  }

  private static String names(List<Row> rows, String last) {
    List<String> names =
        new ArrayList<>(rows.stream().limit(MOST_NAMES).map(Methods::describe).toList());
    if (rows.size() > MOST_NAMES) {
      int others = rows.size() - MOST_NAMES + 1;
      names.set(MOST_NAMES - 1, others + " others");
    }
    return joined(names, last);
  }

  private static String joined(List<String> names, String last) {
    int end = names.size() - 1;
    return end < 1
        ? String.join("", names)
        : String.join(", ", names.subList(0, end)) + last + names.get(end);
  }
}
