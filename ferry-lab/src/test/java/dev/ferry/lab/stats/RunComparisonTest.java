package dev.ferry.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Round;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.model.Verdict;
import dev.ferry.lab.report.ComparisonText;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the comparison of two runs, and the gate of a build, decide. */
final class RunComparisonTest {
  private static final int RUNS = Round.times(20, 30);
  private static final double[] BASE = {100, 101, 99, 100, 100};

  /**
   * The limit is 0, which is the hardest for the gate: any other leaves room for chance. The
   * correction for the number of rows keeps the error rate.
   */
  @ParameterizedTest
  @CsvSource({
    "1, 5, 0.03, 1",
    "2, 3, 0.1, 1",
    "12, 3, 0.03, 1",
    "12, 5, 0.1, 1",
    "12, 3, 0.02, 2.5",
    "12, 5, 0.02, 2.5"
  })
  void gate_twoRunsOfTheSameProgram_passesInNineteenOfTwentyCases(
      int rows, int forks, double spread, double variety) {
    Random random = new Random(rows * 31L + forks * 7L + Math.round(1_000 * spread));
    List<RunDocument> runs = runs(random, rows, forks, spread, variety, 1);

    assertThat(failures(runs, runs, 0)).isLessThanOrEqualTo(0.05);
  }

  @ParameterizedTest
  @CsvSource({"5, 0.03, 1.2", "3, 0.05, 1.5"})
  void gate_aRowThatIsSlower_fails(int forks, double spread, double slower) {
    Random random = new Random(20);

    assertThat(
            failures(
                runs(random, 12, forks, spread, 1, 1),
                runs(random, 12, forks, spread, 1, slower),
                Criteria.DEFAULT_THRESHOLD))
        .isGreaterThan(0.95);
  }

  /** Returns the part of the pairs of different runs of which a gate fails. */
  private static double failures(
      List<RunDocument> before, List<RunDocument> after, double threshold) {
    return IntStream.range(0, RUNS * RUNS)
        .filter(i -> i / RUNS != i % RUNS)
        .map(
            i ->
                RunComparison.of(before.get(i / RUNS), after.get(i % RUNS), threshold)
                        .has(Verdict.SLOWER)
                    ? 1
                    : 0)
        .average()
        .orElseThrow();
  }

  private static List<RunDocument> runs(
      Random random, int rows, int forks, double spread, double variety, double first) {
    return Stream.generate(() -> run(random, rows, forks, spread, variety, first))
        .limit(RUNS)
        .toList();
  }

  /**
   * Returns a run whose first row takes another time than all others.
   *
   * @param variety by how much the forks of one row in four differ more than those of the next
   */
  private static RunDocument run(
      Random random, int rows, int forks, double spread, double variety, double first) {
    return ForkRows.document(
        "CPU",
        IntStream.range(0, rows)
            .mapToObj(
                i ->
                    row(
                        "Row" + i,
                        DoubleStream.generate(
                                () ->
                                    100
                                        * (i == 0 ? first : 1)
                                        * Math.exp(
                                            spread
                                                * Math.pow(variety, i % 4)
                                                * random.nextGaussian()))
                            .limit(forks)
                            .toArray()))
            .toList());
  }

  @Test
  void gate_unchangedBuild_saysHowMuchSlowerIsPossible() {
    RunComparison runs = compare(row("A", BASE), row("A", 98, 103, 99, 104, 101));

    assertThat(runs.has(Verdict.SLOWER)).isFalse();
    assertThat(ComparisonText.gate(runs, false))
        .isEqualTo(
            "gate: no row is slower by more than 5.0 % for certain; 3.7 % slower is still possible"
                + " in suite/table A\n");
    assertThat(runs.perhapsSlower()).isEmpty();
  }

  /** The median of all samples differs from the time of which the ratio is made. */
  @Test
  void render_rows_haveTheTimesOfTheirRatio() {
    assertThat(
            ComparisonText.render(compare(row("A", 80, 100, 125), row("A", 40, 100, 100)))
                .replaceAll(" +", " "))
        .contains("| 100.00 ms | 73.68 ms |");
  }

  @Test
  void gate_slowerRow_isNamedWithItsLeastLoss() {
    RunComparison runs = compare(row("A", BASE), row("A", 150, 151, 149, 150, 150));

    assertThat(ComparisonText.gate(runs, false))
        .startsWith("gate: slower by more than 5.0 % for certain: suite/table A by 48")
        .contains(" % at least; 51")
        .hasLineCount(1);
  }

  @Test
  void gate_fasterRow_cannotBeSlower() {
    assertThat(ComparisonText.gate(compare(row("A", BASE), row("A", 50, 51, 49, 50, 50)), true))
        .isEqualTo(
            "gate: no row is slower by more than 5.0 % for certain; none is slower at all\n");
  }

  @Test
  void gate_forksThatDifferMuch_givesNoFigure() {
    assertThat(ComparisonText.gate(compare(row("A", BASE), row("A", 50, 150, 400)), false))
        .contains(
            "; more than twice as slow is still possible in suite/table A, whose forks differ");
  }

  @Test
  void gate_manyRowsWithoutProof_namesSome() {
    RunDocument run = run(new Random(1), 9, 3, 0.3, 1, 1);

    assertThat(ComparisonText.gate(RunComparison.of(run, run, 0.05), true))
        .contains("suite/table Row0; ", "suite/table Row5; and 3 more\n");
  }

  @Test
  void gate_noiseFloor_isTheLimitIfItIsLarger() {
    RunDocument noisy =
        ForkRows.document("CPU", List.of(row("A", BASE)), List.of(), new Criteria(0.05, 0.6, 1));
    RunDocument slower = ForkRows.document("CPU", List.of(row("A", 150, 151, 149, 150, 150)));

    assertThat(ComparisonText.gate(RunComparison.of(noisy, slower, 0.05), false))
        .startsWith("gate: no row is slower by more than 60.0 % (the noise floor) for certain; 51");
  }

  @Test
  void gate_twoForks_areNoEvidence() {
    RunDocument before = ForkRows.document("CPU", List.of(row("A", BASE), row("B", 50, 50.1)));
    RunDocument after =
        ForkRows.document("CPU", List.of(row("A", BASE), row("B", 150, 150.1, 150)));

    RunComparison runs = RunComparison.of(before, after, 0.05);

    assertThat(runs.has(Verdict.SLOWER)).isFalse();
    assertThat(runs.obstacles()).isEmpty();
    assertThat(runs.perhapsSlower()).extracting(p -> p.after().method()).containsExactly("B");
    assertThat(ComparisonText.gate(runs, false))
        .contains(
            "gate: not judged, since fewer than three forks are no evidence (a longer --time makes"
                + " more): suite/table B, 2 and 3 forks\n");
    assertThat(ComparisonText.render(runs))
        .contains("| 5 and 5 |", "| 2 and 3 |")
        .containsPattern("\\| 2 and 3 \\| +- \\|");
    // A gate that looked at nothing must not pass.
    assertThat(compare(row("B", 50, 50.1), row("B", 150, 150.1)).obstacles())
        .containsExactly(
            "no row has three forks in both runs, and fewer are no evidence; a longer --time makes"
                + " more");
  }

  @Test
  void gate_rowThatFailsAfter_isNoComparison() {
    RowKey key = new RowKey("suite", "table", "B", Map.of());
    Row broken =
        Rows.of(
                List.of(
                    ForkRows.run(key, null, "it broke", Codec.NONE, null, List.of(), List.of())),
                List.of())
            .get(0);
    RunDocument before = ForkRows.document("CPU", List.of(row("A", BASE), row("B", BASE)));

    RunComparison runs =
        RunComparison.of(before, ForkRows.document("CPU", List.of(row("A", BASE), broken)), 0.05);

    assertThat(runs.obstacles())
        .containsExactly("suite/table B was measured before and failed after: it broke");
    assertThat(runs.differences()).containsExactly("rows suite/table B before, none after");
    assertThat(ComparisonText.gate(runs, false))
        .isEqualTo("gate: not judged, since the runs are not comparable\n");
  }

  @Test
  void of_otherSettingsAndFlags_namesEachDifference() {
    RunDocument run = ForkRows.document("CPU", List.of(row("A", BASE)));

    assertThat(
            RunComparison.of(
                    ForkRows.with(List.of("-Xmx1g", "-Xss1m"), new Settings(5, 8, 1, 4500, 1), run),
                    ForkRows.with(
                        List.of("-Xss1m", "-Xmx2g"), new Settings(5, 10, 1, 4000, 1), run),
                    0.05)
                .differences())
        .containsExactly(
            "flags -Xmx1g before, -Xmx2g after",
            "samplesPerRound 8 before, 10 after",
            "maxWarmupMillis 4500 before, 4000 after");
  }

  @Test
  void of_rowsWithOtherSetupsOrAnEarlyEnd_namesEachDifferenceOnce() {
    RunDocument before = ForkRows.document("CPU", List.of(row("A", BASE), row("B", BASE)));
    RunDocument after =
        ForkRows.document(
            "CPU",
            List.of(
                ForkRows.withSetup(row("A", BASE), 2, "-Dferry.pin=0-1"),
                ForkRows.withSetup(row("B", BASE), 2, "-Dferry.pin=0-1")));

    assertThat(RunComparison.of(before, ForkRows.interrupted(after), 0.05).differences())
        .containsExactly(
            "run complete before, ended early after",
            "processes 1 before, 2 after",
            "flags of rows none before, -Dferry.pin=0-1 after");
  }

  private static RunComparison compare(Row before, Row after) {
    return RunComparison.of(
        ForkRows.document("CPU", List.of(before)),
        ForkRows.document("CPU", List.of(after)),
        Criteria.DEFAULT_THRESHOLD);
  }

  private static Row row(String method, double... millis) {
    return ForkRows.of(new RowKey("suite", "table", method, Map.of()), null, Codec.NONE, millis);
  }
}
