package dev.ferry.suites.advice;

import dev.ferry.lab.model.Interval;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.Verdict;
import dev.ferry.lab.report.Figures;
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

  /** More names than this make a long sentence. */
  private static final int MOST_NAMES = 3;

  private final String noun;
  private final MeasuredRows measured;
  private final List<Row> rows;
  private final List<Row> known;
  private final List<Row> rare;

  /** The rows that no other beats, without those of {@link #far}. */
  private final List<Row> near;

  /** The rows that no other beats, but whose time says that they are not the fastest. */
  private final List<Row> far;

  /** The row that the best ones are compared with. */
  private final @Nullable Row reference;

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
    Row baseline = baseline();
    this.reference = baseline == null ? slower() : baseline;
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

  /**
   * Returns the rows to use, if the rows decide: those that no other beats. If the run does not
   * know how much they differ at most, only those of them that beat another row for certain.
   */
  List<Row> best() {
    Row other = reference;
    if (near.size() == 1 || other == null || difference(near).isPresent()) {
      return near;
    }
    List<Row> sure = near.stream().filter(row -> isFaster(row, other)).toList();
    return sure.isEmpty() ? near : sure;
  }

  /** Returns whether the answer names rows that are not to be used. */
  boolean namesOthers() {
    return best().size() < near.size();
  }

  /** Returns the answer, if the rows decide. */
  Sentence sentence() {
    List<Claim> claims = new ArrayList<>();
    String text = near.size() > 1 ? several(claims) : one(near.get(0), claims);
    return new Sentence(noun + ": " + text + ".", claims);
  }

  /** Returns what is uncertain of the answer, in sentences; empty if nothing is. */
  List<Sentence> uncertain() {
    List<Sentence> all = new ArrayList<>();
    if (near.size() > MOST_NAMES) {
      List<Row> others = near.subList(MOST_NAMES - 1, near.size());
      all.add(
          new Sentence(
              "%s: the others are %s."
                  .formatted(noun, joined(others.stream().map(this::named).toList(), " and ")),
              others.stream().map(row -> Claim.of(row, Relation.MAY_BE_FASTEST)).toList()));
    }
    if (near.size() > 1) {
      all.add(apart());
    }
    if (!far.isEmpty()) {
      all.add(
          new Sentence(
              "%s: %s varied too much between forks to be sure."
                  .formatted(noun, names(far, " and ")),
              far.stream().map(row -> Claim.of(row, Relation.MAY_BE_FASTEST)).toList()));
    }
    if (!rare.isEmpty()) {
      all.add(
          new Sentence(
              "%s: %s %s measured too rarely for a verdict."
                  .formatted(noun, names(rare, " and "), rare.size() == 1 ? "was" : "were"),
              tooFewForks()));
    }
    return all;
  }

  /**
   * Returns how much the best row of gRPC and the best of HTTP differ at most, if both are among
   * the fastest and another row is slower by more than that, so that the client matters more than
   * the protocol.
   */
  Optional<Claim> protocols() {
    Row grpc = near.stream().filter(Methods::isGrpc).findFirst().orElse(null);
    Row http = near.stream().filter(Methods::isHttp).findFirst().orElse(null);
    Row slower = slower();
    if (grpc == null || http == null || slower == null) {
      return Optional.empty();
    }
    double slowest = Methods.time(near.get(near.size() - 1));
    return difference(List.of(grpc, http))
        .filter(most -> most.high() <= Methods.time(slower) / slowest)
        .map(most -> new Claim(grpc, Relation.CLOSE, http, most));
  }

  private boolean isFaster(Row row, Row other) {
    return measured.compare(row, other).verdict() == Verdict.FASTER;
  }

  /**
   * Says which row is the fastest. A row that is the only one that no other beats has the least
   * time, since times are in order.
   */
  private String one(Row best, List<Claim> claims) {
    claims.add(Claim.of(best, far.isEmpty() ? Relation.FASTEST : Relation.MAY_BE_FASTEST));
    String fastest =
        !far.isEmpty()
            ? " is probably fastest"
            : rare.isEmpty()
                ? " is fastest"
                : " is fastest of the %d with three forks".formatted(known.size());
    Row other = reference;
    return named(best) + fastest + (other == null ? "" : gain(best, other, claims));
  }

  /** Says that nothing separates some rows, and how long another one takes that is slower. */
  private String several(List<Claim> claims) {
    near.forEach(row -> claims.add(Claim.of(row, Relation.MAY_BE_FASTEST)));
    Row other = reference;
    if (other != null) {
      near.stream()
          .filter(row -> isFaster(row, other))
          .forEach(row -> claims.add(new Claim(row, Relation.FASTER, other, factor(row, other))));
    }
    return "no difference found between "
        + names(near, " and ")
        + (other == null
            ? ""
            : "; %s takes %s".formatted(name(other), Figures.time(other, Methods.time(other))));
  }

  /** Says how much the best rows can differ at most, if the run knows. */
  private Sentence apart() {
    Interval most = difference(near).orElse(null);
    if (most == null) {
      return new Sentence(
          noun + ": the forks vary too much to say how much the named methods differ at most.",
          List.of());
    }
    List<Claim> claims = new ArrayList<>();
    for (Row row : near) {
      for (Row other : near.subList(near.indexOf(row) + 1, near.size())) {
        claims.add(new Claim(row, Relation.CLOSE, other, most));
      }
    }
    return new Sentence(
        "%s: the named methods are %s apart in this run, at most %s."
            .formatted(noun, VerdictText.more(most.value()), VerdictText.more(most.high())),
        claims);
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

  private Interval factor(Row row, Row other) {
    return Objects.requireNonNull(measured.compare(row, other).time()).inverse();
  }

  private String gain(Row row, Row other, List<Claim> claims) {
    Interval factor = factor(row, other);
    claims.add(new Claim(row, Relation.FASTER, other, factor));
    return ", %s faster than %s".formatted(VerdictText.times(factor), named(other));
  }

  /** Returns the baseline if one of the best rows is faster than it. */
  private @Nullable Row baseline() {
    return known.stream()
        .filter(row -> row.isBaseline() && !near.contains(row))
        .filter(row -> near.stream().anyMatch(one -> isFaster(one, row)))
        .findFirst()
        .orElse(null);
  }

  /** Returns the first row that all of the best rows are faster than. */
  private @Nullable Row slower() {
    return known.stream()
        .filter(row -> !near.contains(row))
        .filter(row -> near.stream().allMatch(one -> isFaster(one, row)))
        .findFirst()
        .orElse(null);
  }

  /** Returns what people call the method of a row, or its own name if another row has that, too. */
  String name(Row row) {
    String name = Methods.name(row);
    return rows.stream().filter(other -> Methods.name(other).equals(name)).count() > 1
        ? row.method()
        : name;
  }

  private String named(Row row) {
    return Methods.named(name(row), row);
  }

  private String names(List<Row> some, String last) {
    List<String> names = new ArrayList<>(some.stream().map(this::named).toList());
    if (names.size() > MOST_NAMES) {
      int others = names.size() - MOST_NAMES + 1;
      names.subList(MOST_NAMES - 1, names.size()).clear();
      names.add(others + " others");
    }
    return joined(names, last);
  }

  static String joined(List<String> names, String last) {
    int end = names.size() - 1;
    return end < 1
        ? String.join("", names)
        : String.join(", ", names.subList(0, end)) + last + names.get(end);
  }
}
