package dev.ferry.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ferry.lab.model.Interval;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.Verdict;
import dev.ferry.lab.report.RunJson;
import dev.ferry.lab.report.TextReport;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.apache.commons.math3.distribution.TDistribution;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JudgeTest {
  private static final String HEAD =
      """
      # Transfers over HTTP

      Base line is HttpClient. Client and server are hosted in one process.

      ## Grpc.Net.Client with Grpc.AspNetCore.Server

      ### downloading

      ```
      Job=ShortRun  IterationCount=10  LaunchCount=1
      ```
      | Method | BufferSize | UseCompression | Mean | Error | StdDev | Median | Ratio | Allocated | Alloc Ratio |
      |------- |----------- |--------------- |-----:|------:|-------:|-------:|------:|----------:|------------:|
      """;

  private static String judge(String text) {
    return Judge.judge(List.of(new Judge.Report("report.md", text)), List.of(), false)
        .text()
        .replaceAll(" +", " ");
  }

  @Test
  void judge_rows_claimOnlyWhatTheErrorsAllow() throws Exception {
    String text =
        judge(
            HEAD
                + """
                | **Default** | **4096** | **False** | **348.03 ms** | **104.839 ms** | **62.388 ms** | **340 ms** | **2.21** | **33,095.75 KB** | **33.82** |
                | Fast | 4096 | False | 50.00 ms | 2.000 ms | 1.322 ms | 50 ms | 0.32 | 978.52 KB | 1.00 |
                | Equal | 4096 | False | 158.50 ms | 1.000 ms | 0.661 ms | 158 ms | 1.00 | 10 MB | 10.46 |
                | Near | 4096 | False | 150.00 ms | 20.000 ms | 13.228 ms | 151 ms | 1.30 | 978.52 KB | 1.00 |
                | Broken | 4096 | False | NA | NA | NA | NA | ? | NA | ? |
                | HttpClient | 4096 | False | 158.43 ms | 1.574 ms | 1.041 ms | 60.00 ms | 1.75 | 978.52 KB | 1.00 |
                """);

    assertThat(text)
        .contains("| Default | 4096 | False | 348.03 ms | 30.1 % | 9 | 2.21 | 2.20 | 1.53 to 2.86")
        .contains("| 0.32 | 3.04 to 3.30 times faster |")
        .contains("| 1.00 | same (0.99 to 1.01) |")
        .contains("| 0.95 | not decided (0.82 to 1.07) |")
        .contains("| Broken | 4096 | False | NA | - | ? | - | - | - |")
        .contains("Compared with HttpClient: 1 faster, 1 slower, 1 same, 1 not decided.")
        .contains("- Broken 4096 False: no figure")
        .contains("- Samples were removed as outliers from Default 4096 False (N = 9), of 10")
        .contains("- 10 iterations a row: too few to see")
        .contains(
            "- Error is above 10 % of Mean in Default 4096 False (30 %), Near 4096 False (13 %).")
        .contains("- Mean and Median differ by more than 10 % in HttpClient 4096 False (164 %)")
        .contains("- The printed Ratio of the baseline is not 1.00 in HttpClient 4096 False (1.75)")
        .contains(
            "- The printed Ratio differs from that of the means by more than 10 % in Near 4096 False (1.30")
        .contains("- Equal 4096 False: within 0.5 % of the row it is compared with.")
        .contains("- Allocated covers both client and server")
        .doesNotContain("several servers", "A timer");
  }

  @Test
  void judge_compressionThatCostsOneSideMore_isNotComparable() throws Exception {
    String text =
        judge(
            HEAD
                + """
                | Default | 4096 | False | 100.0 ms | 5.0 ms | 3.3 ms | 100 ms | 0.67 | 1 KB | 1.00 |
                | HttpClient | 4096 | False | 150.0 ms | 5.0 ms | 3.3 ms | 150 ms | 1.00 | 1 KB | 1.00 |
                | Default | 4096 | True | 200.0 ms | 5.0 ms | 3.3 ms | 200 ms | 0.33 | 1 KB | 1.00 |
                | HttpClient | 4096 | True | 600.0 ms | 5.0 ms | 3.3 ms | 600 ms | 1.00 | 1 KB | 1.00 |
                """);

    assertThat(text)
        .contains("| 0.67 | 1.41 to 1.59 times faster |")
        .contains("| 0.33 | not comparable |")
        .contains(
            "Compression adds 100 ms to Default 4096 True and 450 ms to HttpClient 4096 True.");
  }

  @Test
  void judge_noBaselineAndUnitsInTheHead_comparesWithTheFastest() throws Exception {
    String text =
        judge(
            """
            Calls over gRPC; the client runs after we start the server.
            | Method | Mean [us] | Error [us] | StdDev [us] |
            |--------|----------:|-----------:|------------:|
            | Slow   | 1,900.5   | 5.0        | 3.3         |
            | Quick  | 190.1     | 1.0 us     | 0.7 us      |
            """);

    assertThat(text)
        .contains("| Slow | 1,900.5 | 0.3 % | 10 | 10.00 | 9.94 to 10.06 times slower |")
        .contains("compared with the fastest of equal parameters: 1 slower.");
  }

  @Test
  void judge_hintsTimersAndTwoServers_areFindings() throws Exception {
    String text =
        judge(
            """
            # HTTP calls, server is Kestrel or nginx
            | Method | Mean     | Error   | StdDev  | Ratio | Allocated | Alloc Ratio |
            |------- |---------:|--------:|--------:|------:|----------:|------------:|
            | A      | 126.2 μs | 0.01 μs | 0.01 μs |  1.00 |     827 B |        1.00 |
            | B      | 126.2 μs | 0.01 μs | 0.01 μs |  1.00 |     389 B |        0.47 |

            // * Warnings *
            MultimodalDistribution
              Calls.A: DefaultJob -> It seems that the distribution is bimodal (mValue = 3.4)
            // * Hints *
            Outliers
              Calls.B: DefaultJob -> 2 outliers were removed (140.00 us, 150.00 us)
            """);

    assertThat(text)
        .contains("StdDev is below 0.05 % of Mean in A, B")
        .contains("Compared with A: 1 not comparable.")
        .contains("A: the distribution is bimodal, says the text")
        .contains("B: 2 outliers were removed, says the text.")
        .contains("several servers (Kestrel, nginx)")
        .contains("does not say whether the server runs in it");
  }

  @Test
  void judge_sameRowInTwoTables_isCompared() throws Exception {
    String table =
        """
        ## calls
        | Method | Count | Mean | Error | StdDev |
        |--------|-------|-----:|------:|-------:|
        | Single | 1 | %s us | 5.0 us | 3.3 us |
        """;

    assertThat(judge(table.formatted("192.1") + table.formatted("360.7")))
        .contains(
            "in 1 case: Single 1 is 192.1 us here and 360.7 us in the table of line 6, 1.9 times.");
  }

  /** Writes a run with the rows of Default and HttpClient to a folder. */
  private static Path runJson(Path folder) throws IOException {
    Path file = folder.resolve("run.json");
    try (InputStream in = TextReport.class.getResourceAsStream("small-run.json")) {
      Files.copy(Objects.requireNonNull(in), file);
    }
    return file;
  }

  @Test
  void judge_ownReport_isReadAndSetBesideItsRun(@TempDir Path folder) throws Exception {
    Path file = runJson(folder);
    RunDocument run = RunJson.read(file);
    String published =
        HEAD
            + """
            | Default | 65536 | False | 91.19 ms | 9.515 ms | 6.294 ms | 90 ms | 1.91 | 1 KB | 1.00 |
            | HttpClient | 65536 | False | 47.91 ms | 2.873 ms | 1.901 ms | 47 ms | 1.00 | 1 KB | 1.00 |
            """;

    assertThat(Judge.judge(List.of(new Judge.Report("a.md", published)), List.of(run), true).text())
        .contains("Here: Ferry 0.1.0-SNAPSHOT")
        .contains("## a.md\n")
        .containsPattern("Default .* times slower \\| not decided, median 3.9 ms \\|")
        .containsPattern("HttpClient .*compared with \\| +median 3.6 ms \\|");
    RunDocument named = run.withNames(row -> Optional.of("the name of " + row.method()));
    assertThat(judge(TextReport.markdown(named)))
        .contains("Compared with HttpClient: 1 not decided.");
  }

  @Test
  void judge_severalRuns_setsTheOneWithTheRowsBesideATable(@TempDir Path folder) throws Exception {
    Path file = runJson(folder);
    RunDocument withRows = RunJson.read(file);
    ObjectNode tree = (ObjectNode) new ObjectMapper().readTree(RunJson.text(withRows));
    tree.putArray("rows");
    ((ObjectNode) tree.path("environment")).put("started", "2001-01-01T00:00:00Z");
    Files.writeString(file, tree.toString());
    String published =
        HEAD
            + """
            | Default | 65536 | False | 91.19 ms | 9.515 ms | 6.294 ms | 90 ms | 1.91 | 1 KB | 1.00 |
            | HttpClient | 65536 | False | 47.91 ms | 2.873 ms | 1.901 ms | 47 ms | 1.00 | 1 KB | 1.00 |
            """;

    assertThat(
            Judge.judge(
                    List.of(new Judge.Report("a.md", published)),
                    List.of(RunJson.read(file), withRows),
                    true)
                .text())
        .contains("2001-01-01T00:00:00Z, profile", withRows.environment().started() + ", profile")
        .contains("- Here means the run of " + withRows.environment().started() + ".\n")
        .containsPattern("Default .* median 3.9 ms \\|");
  }

  @Test
  void judge_runThatSaysTheOpposite_isNamed(@TempDir Path folder) throws Exception {
    Path file = runJson(folder);
    ObjectMapper json = new ObjectMapper();
    JsonNode tree = json.readTree(RunJson.text(RunJson.read(file)));
    double median = 40;
    for (JsonNode row : tree.path("rows")) {
      int samples = row.path("time").path("samples").size();
      ObjectNode fork = (ObjectNode) row.path("forks").path(0);
      ArrayNode forks = ((ObjectNode) row).putArray("forks");
      forks.add(fork.deepCopy().put("round", 0).put("n", 1).put("median", median));
      forks.add(fork.deepCopy().put("round", 1).put("n", 1).put("median", median * 1.01));
      forks.add(fork.deepCopy().put("round", 2).put("n", samples - 2).put("median", median * 0.99));
      median = 10;
    }
    Files.writeString(file, tree.toString());
    String published =
        HEAD
            + """
            | Default | 65536 | False | 20.00 ms | 0.600 ms | 0.397 ms | 20 ms | 0.50 | 1 KB | 1.00 |
            | HttpClient | 65536 | False | 40.00 ms | 0.800 ms | 0.529 ms | 40 ms | 1.00 | 1 KB | 1.00 |
            """;

    assertThat(
            Judge.judge(
                    List.of(new Judge.Report("a.md", published)),
                    List.of(RunJson.read(file)),
                    false)
                .text())
        .contains(
            "\n- Default 65536 False: they 1.93 to 2.07 times faster, here 4.00 to 4.00 times slower,"
                + " median 3.9 ms.\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "no table at all; report.md has no table with the columns Method and Mean; give a report",
        "|Method|Mean|\\n|--|--|\\n|A|fast|; report.md, line 3: 'fast' in column Mean is not a"
            + " figure; correct",
        "|Method|Mean|\\n|--|--|\\n|A|1 parsec|; report.md, line 3: '1 parsec' in column Mean is"
            + " not a figure",
        "|Method|Mean|\\n|--|--|\\n|A|1 ms|2|; report.md, line 3: the row has 3 cells and the table 2 columns",
        "|Method|Mean|\\n|--|--|; report.md, line 1: the table has no rows; correct it or remove",
        "|Method|Median|\\n|--|--|\\n|A|1 ms|; report.md, line 1: the table has no column Mean; export",
        "|Method|Mean|Mean|\\n|--|--|--|\\n|A|1 ms|2 ms|; report.md, line 1: the table has two columns Mean",
        "|Method|Mean|\\n|--|--|\\n|A|1,234 ms|; report.md, line 3: column Mean has commas that may be",
        "|Method|Mean|\\n|--|--|\\n|A|1,2 ms|\\n|B|1.2 ms|; report.md, line 3: column Mean mixes decimal",
      })
  void judge_damagedInput_namesFileAndLine(String text, String message) {
    Judge.Judgement judgement =
        Judge.judge(
            List.of(new Judge.Report("report.md", text.replace("\\n", "\n"))), List.of(), false);

    assertThat(judgement.text()).isEmpty();
    assertThat(judgement.unread())
        .singleElement()
        .asString()
        .startsWith(message)
        .matches("[^\n]*; [^\n]*");
  }

  @Test
  void ratio_ends_areWhereTheDifferenceIsAsLargeAsItsError() {
    Interval row = new Interval(10, 8, 12);
    Interval base = new Interval(5, 4, 6);

    Interval ratio = Claims.ratio(row, base);

    assertThat(ratio.value()).isEqualTo(2);
    for (double r : List.of(ratio.low(), ratio.high())) {
      assertThat(Math.abs(10 - r * 5)).isCloseTo(Math.hypot(2, r * 1), within(1e-9));
    }
    assertThat(Claims.ratio(row, new Interval(5, -1, 11)))
        .satisfies(r -> assertThat(r.high()).isInfinite())
        .satisfies(
            r -> assertThat(10 - r.low() * 5).isCloseTo(Math.hypot(2, r.low() * 6), within(1e-9)));
    assertThat(Claims.verdict(null, base)).isEqualTo(Verdict.NOT_DECIDED);
  }

  @Test
  void sampleCount_anyNumber_followsFromErrorAndDeviation() {
    Random random = new Random(19);
    for (int n = 3; n < 100; n++) {
      double stdDev = 10 + 90 * random.nextDouble();
      double error =
          new TDistribution(n - 1).inverseCumulativeProbability(0.9995) * stdDev / Math.sqrt(n);
      PublishedRow row =
          row(new Figure(rounded(error), 0.0005), new Figure(rounded(stdDev), 0.0005));

      assertThat(SampleCount.of(row)).hasToString(Integer.toString(n));
    }
    Figure coarse = new Figure(0.01, 0.005);
    assertThat(SampleCount.of(row(coarse, coarse))).isNull();
    assertThat(SampleCount.of(row(coarse, null))).isNull();
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }

  private static PublishedRow row(Figure error, @Nullable Figure stdDev) {
    Map<String, Figure> figures = new HashMap<>(Map.of("Error", error));
    if (stdDev != null) {
      figures.put("StdDev", stdDev);
    }
    return new PublishedRow(0, "A", Map.of(), "", false, figures);
  }
}
