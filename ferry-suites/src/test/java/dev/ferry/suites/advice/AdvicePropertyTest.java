package dev.ferry.suites.advice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Generated;
import dev.ferry.lab.Bench;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Comparison;
import dev.ferry.lab.model.ForkFigures;
import dev.ferry.lab.model.Interval;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.Verdict;
import dev.ferry.lab.report.VerdictText;
import dev.ferry.lab.stats.Comparisons;
import dev.ferry.lab.stats.ForkRows;
import dev.ferry.suites.advice.Claim.Relation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whatever a run measured, its advice is true of the rows and does not contradict itself. */
class AdvicePropertyTest {
  private static final Pattern FIGURE =
      Pattern.compile(
          "(?:at least )?[\\d.,]+(?: to [\\d.,]+)? times|(?<=at most )\\d+ %|\\d+ %(?= apart)");
  private static final Pattern FASTEST =
      Pattern.compile(
          "(D|U)(?:ownloads|ploads): (?:no difference found between (.*? ms\\))[;.]"
              + "|(.*?) is (?:probably )?fastest)");

  private static RunDocument run(Generated input) {
    List<Row> rows = new ArrayList<>();
    for (String table : List.of("download", "upload")) {
      for (String method :
          List.of(
              "Default",
              "ZeroCopy",
              "HttpClientFile",
              "ApacheTuned",
              "RentedArray",
              "ZeroCopyBare",
              "HttpClientFile A/A")) {
        rows.add(measured(input, table, method));
      }
    }
    rows.add(measured(input, "gzip-download", "ZeroCopy"));
    return ForkRows.document("CPU", rows, List.of(), Comparisons.criteria(0.05, 2, rows));
  }

  /** Times and noise are such that everything from a clear to no verdict is likely. */
  private static Row measured(Generated input, String table, String method) {
    double typical = input.of(10.0, 10.5, 12.0, 20.0, 300.0);
    double spread = input.of(0.01, 0.1, 1.0);
    Codec codec = table.startsWith("gzip") ? new Codec("zip", 1) : Codec.NONE;
    return ForkRows.of(
        new RowKey("answer", table, method, Map.of()),
        "HttpClientFile",
        codec,
        input.list(0, 5, () -> input.between(-1.0, 1.0)).stream()
            .mapToDouble(at -> typical * Math.exp(spread * at))
            .toArray());
  }

  @Test
  void claims_ofAnyRun_areTrueOfItsRows() {
    Generated.check(400, input -> requireTrue(run(input)));
  }

  @Test
  void claims_ofAnyRun_doNotContradictEachOther() {
    Generated.check(400, input -> requireConsistent(run(input)));
  }

  @Test
  void claims_ofMeasuredRuns_areTrueAndDoNotContradictEachOther() throws Exception {
    Path runs = Path.of(AdvicePropertyTest.class.getResource("runs").toURI());
    try (Stream<Path> folders = Files.list(runs)) {
      for (Path folder : folders.toList()) {
        RunDocument run = Bench.read(folder);
        assertThat(claims(run)).as("%s", folder).isNotEmpty();
        requireTrue(run);
        requireConsistent(run);
      }
    }
  }

  private static void requireTrue(RunDocument run) {
    for (Claim claim : claims(run)) {
      assertThat(isTrue(claim, run)).as(text(claim)).isTrue();
    }
  }

  private static void requireConsistent(RunDocument run) {
    List<Claim> claims = claims(run);
    for (Claim one : claims) {
      for (Claim other : claims) {
        assertThat(contradict(one, other)).as(text(one) + "; " + text(other)).isFalse();
      }
    }
  }

  private static String text(Claim claim) {
    return claim.who().key()
        + " "
        + claim.relation()
        + (claim.whom() == null ? "" : " " + claim.whom().method() + " " + claim.factor());
  }

  @Test
  void texts_ofAnyRun_sayNoMoreThanTheirClaims() {
    Generated.check(400, input -> requireClaimed(run(input)));
  }

  private static void requireClaimed(RunDocument run) {
    for (Sentence sentence : Advice.sentences(run, EnumSet.allOf(Purpose.class))) {
      String rest = sentence.text();
      for (Claim claim : sentence.claims()) {
        for (Row row : Stream.of(claim.who(), claim.whom()).filter(Objects::nonNull).toList()) {
          String time = rounded(Methods.time(row)) + " ms";
          rest =
              rest.replace("%s (%s)".formatted(Methods.name(row), time), "")
                  .replace("%s takes %s".formatted(Methods.name(row), time), "");
        }
      }
      assertThat(rest).as(sentence.text()).doesNotContain(" ms");
      Set<String> figures =
          sentence.claims().stream()
              .map(Claim::factor)
              .filter(Objects::nonNull)
              .flatMap(
                  f ->
                      Stream.of(
                          VerdictText.times(f),
                          Math.round(100 * f.high() - 100) + " %",
                          Math.round(100 * f.value() - 100) + " %"))
              .collect(Collectors.toSet());
      assertThat(FIGURE.matcher(sentence.text()).results().map(MatchResult::group))
          .as(sentence.text())
          .isSubsetOf(figures);
      requireFastest(sentence, run);
    }
    requireBothProtocols(Advice.sentences(run, EnumSet.allOf(Purpose.class)));
    assertThat(Advice.of(run)).hasSizeBetween(1, 9).doesNotContain("");
  }

  /** What is said of gRPC and HTTP holds for each direction. */
  private static void requireBothProtocols(List<Sentence> sentences) {
    sentences.stream()
        .filter(sentence -> sentence.text().contains("The client matters more than the protocol"))
        .flatMap(sentence -> sentence.claims().stream())
        .collect(Collectors.groupingBy(claim -> claim.who().key().table()))
        .values()
        .forEach(
            claims -> {
              assertThat(
                      claims.stream()
                          .filter(claim -> claim.relation() == Relation.MAY_BE_FASTEST)
                          .map(claim -> claim.who().method()))
                  .containsAnyOf("ZeroCopy", "Default")
                  .containsAnyOf("HttpClientFile", "ApacheTuned");
              assertThat(claims).anyMatch(claim -> claim.relation() == Relation.FASTER);
            });
  }

  /** Whoever is said to be among the fastest of a direction has that claim there. */
  private static void requireFastest(Sentence sentence, RunDocument run) {
    FASTEST
        .matcher(sentence.text())
        .results()
        .forEach(
            found -> {
              String table = found.group(1).equals("D") ? "download" : "upload";
              String named = found.group(found.group(2) == null ? 3 : 2);
              List<Row> rows =
                  run.rows().stream()
                      .filter(row -> row.key().table().equals(table) && row.measured())
                      .filter(row -> named.contains(Methods.named(row)))
                      .toList();
              assertThat(rows).as(named).isNotEmpty();
              assertThat(rows)
                  .as(sentence.text())
                  .allMatch(
                      row ->
                          sentence.claims().stream()
                              .anyMatch(
                                  claim ->
                                      claim.who().key().equals(row.key())
                                          && row.hasEnoughForks()
                                          && Methods.isChoice(row)
                                          && claim.relation().name().endsWith("FASTEST")));
            });
  }

  private static String rounded(double time) {
    return String.format(
        Locale.ROOT, time >= 99.95 ? "%,.0f" : time >= 9.995 ? "%.1f" : "%.2f", time);
  }

  private static List<Claim> claims(RunDocument run) {
    return Advice.sentences(run, EnumSet.allOf(Purpose.class)).stream()
        .flatMap(sentence -> sentence.claims().stream())
        .toList();
  }

  /** Holds a claim against the forks. */
  private static boolean isTrue(Claim claim, RunDocument run) {
    Row who = claim.who();
    Row whom = claim.whom();
    int forks =
        whom == null ? who.forks().size() : Math.min(who.forks().size(), whom.forks().size());
    if (claim.relation() == Relation.TOO_FEW_FORKS) {
      return forks < 3;
    }
    return forks >= 3
        && switch (claim.relation()) {
          case FASTEST ->
              rivals(who, run).stream().allMatch(r -> time(r) > time(who))
                  && rivals(who, run).stream()
                      .allMatch(r -> compare(r, who, run).verdict() != Verdict.FASTER);
          case MAY_BE_FASTEST ->
              rivals(who, run).stream()
                  .allMatch(r -> compare(r, who, run).verdict() != Verdict.FASTER);
          case FASTER ->
              compare(who, Objects.requireNonNull(whom), run).verdict() == Verdict.FASTER
                  && covers(claim, time(whom) / time(who), run);
          case SLOWER ->
              compare(who, Objects.requireNonNull(whom), run).verdict() == Verdict.SLOWER
                  && covers(claim, time(who) / time(whom), run);
          case CLOSE -> isClose(claim, run);
          case NO_COST ->
              compare(who, Objects.requireNonNull(whom), run).verdict() != Verdict.SLOWER;
          case TOO_FEW_FORKS -> false;
        };
  }

  /** Whether the figure that is said holds for the estimate and for the interval of the run. */
  private static boolean covers(Claim claim, double estimate, RunDocument run) {
    Interval said = Objects.requireNonNull(claim.factor());
    Interval time = interval(claim, run);
    Interval known = claim.relation() == Relation.FASTER ? time.inverse() : time;
    return said.low() > 1
        && said.low() <= estimate
        && estimate <= said.high()
        && said.low() <= known.low() * (1 + 1e-9)
        && known.high() <= said.high() * (1 + 1e-9);
  }

  private static boolean isClose(Claim claim, RunDocument run) {
    double most = Objects.requireNonNull(claim.factor()).high();
    Interval time = interval(claim, run);
    double apart = claim.factor().value() + 0.0051;
    return time.value() <= apart
        && 1 / time.value() <= apart
        && time.high() <= most
        && 1 / time.low() <= most
        && most <= 1.26;
  }

  private static Interval interval(Claim claim, RunDocument run) {
    return Objects.requireNonNull(
        compare(claim.who(), Objects.requireNonNull(claim.whom()), run).time());
  }

  private static Comparison compare(Row row, Row other, RunDocument run) {
    return Comparisons.compareCodecs(row, other, run.criteria());
  }

  /**
   * Returns the rows of a setting that a user can choose in the place of one, with enough forks.
   */
  private static List<Row> rivals(Row row, RunDocument run) {
    return run.rows().stream()
        .filter(r -> r.key().sameGroup(row.key()) && !r.key().equals(row.key()))
        .filter(r -> r.forks().size() >= 3 && Methods.isChoice(r))
        .toList();
  }

  /** Computes the time of a row apart from the code that says it. */
  private static double time(Row row) {
    return Math.exp(
        row.forks().stream()
            .map(ForkFigures::median)
            .mapToDouble(Math::log)
            .average()
            .orElseThrow());
  }

  private static boolean contradict(Claim one, Claim other) {
    boolean sameRow = one.who().key().equals(other.who().key());
    boolean sameSetting = one.who().key().sameGroup(other.who().key());
    boolean reversed =
        one.whom() != null
            && other.whom() != null
            && one.who().key().equals(other.whom().key())
            && one.whom().key().equals(other.who().key());
    boolean samePair =
        sameRow
            && one.whom() != null
            && other.whom() != null
            && one.whom().key().equals(other.whom().key());
    return switch (one.relation()) {
      case TOO_FEW_FORKS -> involves(other, one.who()) && other.relation() != one.relation();
      case FASTEST ->
          (sameSetting && !sameRow && other.relation().name().endsWith("FASTEST"))
              || (sameRow && other.relation() == Relation.SLOWER && sameTable(other));
      case MAY_BE_FASTEST ->
          sameRow
              && other.relation() == Relation.SLOWER
              && sameTable(other)
              && Methods.isChoice(Objects.requireNonNull(other.whom()));
      case FASTER ->
          (samePair && other.relation() == Relation.SLOWER)
              || (reversed && other.relation() == Relation.FASTER)
              || ((samePair || reversed) && other.relation() == Relation.CLOSE);
      case SLOWER ->
          (reversed && other.relation() == Relation.SLOWER)
              || ((samePair || reversed) && other.relation() == Relation.CLOSE)
              || (samePair && other.relation() == Relation.NO_COST);
      case CLOSE, NO_COST -> false;
    };
  }

  private static boolean sameTable(Claim claim) {
    Row whom = Objects.requireNonNull(claim.whom());
    return whom.key().sameGroup(claim.who().key()) && Methods.isChoice(whom);
  }

  private static boolean involves(Claim claim, Row row) {
    return claim.who().key().equals(row.key())
        || (claim.whom() != null && claim.whom().key().equals(row.key()));
  }
}
