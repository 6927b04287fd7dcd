package dev.ferry.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RowRun;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.Sample.Usage;
import dev.ferry.lab.stats.ForkRows;
import dev.ferry.lab.stats.Rows;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ShortReportTest {
  private static RowRun row(String method, double... millis) {
    return ForkRows.run(
        new RowKey("answer", "download", method, Map.of("BufferSize", "65536")),
        "HttpClientFile",
        Codec.NONE,
        millis);
  }

  private static RunDocument run(String[] advice, RowRun... rows) {
    return ForkRows.document(
        "CPU", Rows.of(List.of(rows), List.of()), List.of(), new Criteria(0.05, null, 1), advice);
  }

  @Test
  void render_run_hasTheAnswerThenATableThenSentences() {
    RunDocument run =
        run(
            new String[] {"Use ZeroCopy.", "It is fast.", "It is sure."},
            row("Default", 70, 75),
            row("ZeroCopy", 32, 34, 33),
            row("HttpClientFile", 92, 88, 95),
            row("HttpClientFile A/A", 91, 90, 93),
            row("Absent"));

    assertThat(ShortReport.render(run).lines())
        .containsExactly(
            "Use ZeroCopy.",
            "",
            "download (BufferSize=65536)",
            "Method                 Time     Ratio  Verdict            CPU     Heap  Forks",
            "ZeroCopy            33.0 ms      0.36  faster         0.00 ms  0.00 KB      3",
            "Default             72.5 ms      0.79  too few forks  0.00 ms  0.00 KB      2",
            "HttpClientFile A/A  91.3 ms      1.00  noise          0.00 ms  0.00 KB      3",
            "HttpClientFile      91.6 ms  baseline  -              0.00 ms  0.00 KB      3",
            "Absent              skipped         -  -                    -        -      0",
            "",
            "A/A is the baseline measured again; differences as small as its own are noise.",
            "",
            "Skipped, 1 row: Absent: it did not run",
            "- It is fast.",
            "- It is sure.");
  }

  @Test
  void render_namedMethods_standBelowTheTables() {
    RunDocument run = run(new String[0], row("ZeroCopy", 32, 34, 33), row("Unknown", 70, 75));

    assertThat(ShortReport.render(run.withNames(PicturesTest::name)).lines())
        .containsSubsequence("Unknown   72.5 ms      -  -        0.00 ms  0.00 KB      2", "")
        .endsWith("ZeroCopy: Ferry's <gRPC>");
  }

  @Test
  void render_moreThanEightSentences_leavesThemToTheOtherReports() {
    String[] advice = IntStream.range(0, 11).mapToObj(i -> "Sentence " + i).toArray(String[]::new);

    assertThat(ShortReport.render(run(advice, row("ZeroCopy", 1, 2, 3))))
        .startsWith("Sentence 0\n")
        .endsWith("- Sentence 8");
  }

  @Test
  void render_longNames_stillFitEightyColumns() {
    RunDocument run =
        run(
            new String[0],
            row("CallWebAPIEndpointReuseHTTPClientOnTheVeryLongWayRound", 32, 34, 33),
            row("HttpClientFile", 92, 88, 95));

    assertThat(ShortReport.render(run).lines())
        .contains("CallWebAPIEndpointReuseHTTPClientOnTheVeryLongWayRound")
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  @Test
  void render_besideOtherPrograms_saysHowMuchTheyUsed() {
    assertThat(ShortReport.render(run(new String[] {"An answer."}, beside(5), beside(1))))
        .startsWith(
            "An answer.\nThis machine was busy: other programs used 15 % of it while the rows ran.");
    assertThat(ShortReport.render(run(new String[0], beside(1), beside(2)))).doesNotContain("busy");
    assertThat(ShortReport.warnings(ForkRows.withServer(run(new String[0], beside(5), beside(1)))))
        .isEmpty();
    assertThat(ShortReport.warnings(ForkRows.withServer(run(new String[0], beside(9), beside(8)))))
        .singleElement()
        .asString()
        .startsWith("Both machines together were busy: other programs used 21 % of them while");
  }

  /** Returns a row of 10 ms beside which others used one of the two processors for some time. */
  private static RowRun beside(int millis) {
    Usage use = new Usage(1, 1, 1, 1, 1, 1, -1);
    return ForkRows.run(
        new RowKey("answer", "download", "After" + millis, Map.of()),
        null,
        null,
        Codec.NONE,
        null,
        List.of(),
        List.of(ForkRows.sampleBeside(millis * 1_000_000L, 0, 10_000_000, use)));
  }

  @Test
  void table_ofAnUnfinishedRun_hasTheRowsThatRan() {
    RowKey key = row("ZeroCopy").key();
    RunDocument all = run(new String[0], row("ZeroCopy", 3, 4), row("HttpClientFile"));

    assertThat(ShortReport.table(ForkRows.interrupted(all), key))
        .hasSize(4)
        .last()
        .asString()
        .startsWith("ZeroCopy  3.46 ms      -  ");
  }
}
