package dev.ferry.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Comparison;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.Interval;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class ComparisonsTest {
  private static final Criteria CRITERIA = new Criteria(0.05, null, 1);
  private static final double[] BASE = {100, 101, 99, 100, 100};
  private static final double[] FAST = {50, 51, 49, 50, 50};

  @Test
  void compare_clearDifference_isFasterOrSlower() {
    assertThat(compare(50, 51, 49, 50, 50))
        .satisfies(
            c -> {
              assertThat(c.verdict()).isEqualTo(Verdict.FASTER);
              assertThat(time(c).value()).isCloseTo(0.5, within(1e-3));
              assertThat(c.furtherForks()).isNull();
            });
    assertThat(compare(200, 210, 190, 200, 200).verdict()).isEqualTo(Verdict.SLOWER);
  }

  @Test
  void compare_smallDifference_isTheSameOrNotDecided() {
    assertThat(compare(101, 100, 102, 101, 101).verdict()).isEqualTo(Verdict.SAME);

    Comparison wide = compare(60, 150, 50, 160, 70);

    assertThat(wide.verdict()).isEqualTo(Verdict.NOT_DECIDED);
    assertThat(wide.furtherForks()).isGreaterThan(1);
  }

  @Test
  void compare_differenceBelowTheNoiseFloor_isNotDecided() {
    Row row = row("Row", Codec.NONE, 80, 81, 79, 80, 80);
    Row base = row("Base", Codec.NONE, BASE);

    assertThat(Comparisons.compare(row, base, true, CRITERIA).verdict()).isEqualTo(Verdict.FASTER);
    assertThat(Comparisons.compare(row, base, true, new Criteria(0.05, 0.3, 1)))
        .extracting(Comparison::verdict, Comparison::furtherForks)
        .containsExactly(Verdict.NOT_DECIDED, null);
  }

  @Test
  void compare_anotherLevelOrNoFigures_isNotComparable() {
    Row base = row("Base", Codec.NONE, BASE);

    assertThat(Comparisons.compare(row("Row", new Codec("zip", 1), BASE), base, true, CRITERIA))
        .extracting(Comparison::verdict, Comparison::reason)
        .containsExactly(
            Verdict.NOT_COMPARABLE, "Row compresses by zip, gzip level 1 and Base by none");
    assertThat(Comparisons.compare(row("Row", Codec.NONE), base, true, CRITERIA).reason())
        .isEqualTo("Row has no figures");
  }

  @Test
  void compare_oneFork_saysThatItIsTooFew() {
    assertThat(compare(50))
        .extracting(Comparison::verdict, Comparison::time)
        .containsExactly(Verdict.NOT_DECIDED, null);
  }

  @Test
  void compare_twoForks_decideNothingHoweverFarApart() {
    Row two = row("Row", Codec.NONE, 50, 50.1);

    for (Comparison comparison :
        List.of(
            compare(50, 50.1),
            Comparisons.compare(row("Row", Codec.NONE, BASE), two, true, CRITERIA))) {
      assertThat(comparison.verdict()).isEqualTo(Verdict.NOT_DECIDED);
      assertThat(comparison.furtherForks()).isEqualTo(1);
      assertThat(comparison.reason()).isEqualTo("too few forks");
      assertThat(comparison.time()).isNull();
    }
    assertThat(compare(50, 50.1, 50).verdict()).isEqualTo(Verdict.FASTER);
    assertThat(compare(100, 100.1).verdict()).isEqualTo(Verdict.NOT_DECIDED);
    assertThat(compare(50).furtherForks()).isEqualTo(2);
  }

  @Test
  void floor_controlRows_isTheirLargestDifference() {
    Row base = row("Base", Codec.NONE, 100, 100);
    Row control = row("Base A/A", Codec.NONE, 96, 96);
    Row other = row("Row", Codec.NONE, 10, 10);

    assertThat(control.isControl()).isTrue();
    assertThat(control.key().work()).isEqualTo(base.key());
    assertThat(Comparisons.criteria(0.05, 1, List.of(base, control, other)).floor())
        .isCloseTo(0.0417, within(1e-4));
    assertThat(Comparisons.criteria(0.05, 1, List.of(base, other)).floor()).isNull();
  }

  /** A table that is noisy must not hide what another one shows. */
  @Test
  void floor_ofATable_holdsForItsRowsAlone() {
    Row quiet = row("quiet", "Row", 80, 81, 79, 80, 80);
    Row noisy = row("noisy", "Row", 80, 81, 79, 80, 80);
    List<Row> rows =
        List.of(
            row("quiet", "Base", BASE),
            row("quiet", "Base A/A", 102, 102, 102),
            quiet,
            row("noisy", "Base", BASE),
            row("noisy", "Base A/A", 150, 150, 150),
            noisy,
            // Without an A/A row: from the baseline's own forks.
            row("halves", "Base", 100, 110, 100, 110),
            row("halves", "Row", 80, 81, 79, 80, 80),
            row("none", "Row", 80, 81, 79, 80, 80));
    Criteria criteria = Comparisons.criteria(0.05, 1, rows);

    assertThat(criteria.floors())
        .containsOnlyKeys("suite/quiet", "suite/noisy", "suite/halves")
        .hasEntrySatisfying("suite/quiet", floor -> assertThat(floor).isCloseTo(0.02, within(1e-3)))
        .hasEntrySatisfying("suite/noisy", floor -> assertThat(floor).isCloseTo(0.5, within(1e-3)))
        .hasEntrySatisfying(
            "suite/halves", floor -> assertThat(floor).isCloseTo(0.1, within(1e-9)));
    List<Row> compared = Comparisons.withBaselines(rows, criteria);
    assertThat(Objects.requireNonNull(compared.get(2).comparison()).verdict())
        .isEqualTo(Verdict.FASTER);
    assertThat(Objects.requireNonNull(compared.get(5).comparison()).verdict())
        .isEqualTo(Verdict.NOT_DECIDED);
    assertThat(criteria.of(quiet.key(), noisy.key()).floor()).isCloseTo(0.5, within(1e-3));
    assertThat(criteria.of(rows.get(8).key(), rows.get(8).key()).floor())
        .isEqualTo(criteria.floor());
  }

  private static Row row(String table, String method, double... millis) {
    return ForkRows.of(new RowKey("suite", table, method, Map.of()), "Base", Codec.NONE, millis);
  }

  private static Comparison compare(double... millis) {
    return Comparisons.compare(
        row("Row", Codec.NONE, millis), row("Base", Codec.NONE, BASE), true, CRITERIA);
  }

  private static Interval time(Comparison comparison) {
    return Objects.requireNonNull(comparison.time());
  }

  @Test
  void compare_runsWithDifferentDigests_areNotComparable() {
    Row crc = ForkRows.verified(answer("ZeroCopy", FAST), "crc32c at both ends");

    Row sha = ForkRows.verified(answer("ZeroCopy", BASE), "sha256, known to the server");
    assertThat(across(sha, crc))
        .satisfies(
            comparison -> {
              assertThat(comparison.verdict()).isEqualTo(Verdict.NOT_COMPARABLE);
              assertThat(comparison.reason())
                  .isEqualTo(
                      "the digest was sha256, known to the server before and crc32c at both ends"
                          + " after");
            });
    assertThat(across(ForkRows.verified(answer("ZeroCopy", BASE), "crc32c at both ends"), crc))
        .extracting(Comparison::verdict)
        .isEqualTo(Verdict.FASTER);
  }

  private static Row answer(String method, double... millis) {
    return ForkRows.of(
        new RowKey("answer", "download", method, Map.of()), "ZeroCopy", Codec.NONE, millis);
  }

  private static Comparison across(Row before, Row after) {
    return RunComparison.of(
            ForkRows.document("CPU", List.of(before)),
            ForkRows.document("CPU", List.of(after)),
            0.05)
        .pairs()
        .get(0)
        .comparison();
  }

  private static Row row(String method, Codec codec, double... millis) {
    return ForkRows.of(new RowKey("suite", "table", method, Map.of()), "Base", codec, millis);
  }
}
