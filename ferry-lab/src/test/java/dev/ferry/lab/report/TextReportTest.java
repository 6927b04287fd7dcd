package dev.ferry.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.lab.model.Ceiling;
import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.Disturbance;
import dev.ferry.lab.model.DisturbedFork;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RowRun;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.Sample;
import dev.ferry.lab.model.Sample.Usage;
import dev.ferry.lab.model.Status;
import dev.ferry.lab.model.network.Calibration;
import dev.ferry.lab.model.network.Network;
import dev.ferry.lab.model.network.NetworkRun;
import dev.ferry.lab.stats.Ceilings;
import dev.ferry.lab.stats.ForkRows;
import dev.ferry.lab.stats.Rows;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TextReportTest {
  private static final long FILE_BYTES = 100 << 10;
  private static final Criteria CRITERIA = new Criteria(0.05, 0.031, 2);
  private static final RowRun FAST = run("ZeroCopy", "4096", null, 20, 21, 22, 21, 20);
  private static final RowRun BASE = run("HttpClient", "4096", null, 80, 82, 84, 82, 80);
  private static final RowRun NOISY = run("ZeroCopy", "65536", null, 10, 200, 30, 150, 20);
  private static final RowRun NOISY_BASE = run("HttpClient", "65536", null, 70, 90, 80, 75, 85);

  @Test
  void markdown_twoGroups_hasTheReferencesShape() {
    String text = TextReport.markdown(document(FAST, BASE, NOISY, NOISY_BASE));

    assertThat(
            text.lines()
                .takeWhile(l -> !l.equals("## Ceilings"))
                .filter(l -> l.startsWith("|"))
                .map(l -> l.replaceAll(" +", " ")))
        .satisfiesExactly(
            l ->
                assertThat(l)
                    .isEqualTo(
                        "| Method | BufferSize | Mean | Error | StdDev | Median | Forks | Ratio | RatioSD |"
                            + " Gen0 | Gen1 | Allocated | Alloc Ratio | CPU | Direct | Ceiling | Ratio 95 % |"
                            + " Verdict |"),
            l -> assertThat(l).matches("\\|-+\\|-+\\|(-+:\\|){16}"),
            l ->
                assertThat(l)
                    .startsWith("| **ZeroCopy** | **4096** | **20.80 ms** |")
                    .contains("| **0.25** |")
                    .contains("| **1000.0000** | **-** | **20.00 KB** |")
                    .endsWith("| **2.10x** | **0.25 to 0.26** | **faster** |"),
            l -> assertThat(l).startsWith("| HttpClient | 4096 | 81.60 ms |").contains("| 1.00 |"),
            l -> assertThat(l).matches("(\\| )+\\|"),
            l -> assertThat(l).startsWith("| **ZeroCopy** | **65536** |"),
            l -> assertThat(l).startsWith("| HttpClient | 65536 |"));
  }

  @Test
  void markdown_errorBeyondTheMean_isLeftOutWithTheNumberOfForks() {
    assertThat(TextReport.markdown(document(NOISY, NOISY_BASE)))
        .containsPattern("\\*\\*82.00 ms\\*\\* \\| +\\*\\*-\\*\\* ")
        .contains(
            "No Error, since it would exceed the mean: ZeroCopy, BufferSize 65536 (5 forks)\n");
  }

  @Test
  void markdown_verifiedRows_saysWhoComputesTheDigest() {
    List<Row> rows = document(FAST, BASE, NOISY).rows();

    assertThat(
            TextReport.markdown(
                ForkRows.document(
                    "CPU",
                    List.of(
                        ForkRows.verified(rows.get(0), "crc32c at both ends"),
                        ForkRows.verified(rows.get(1), "crc32c, known to the server"),
                        rows.get(2)))))
        .contains("Verified by crc32c at both ends: ZeroCopy\n")
        .contains("Verified by crc32c, known to the server: HttpClient\n");
  }

  @Test
  void markdown_rowsWithLoadsAndSides_haveTheirColumns() {
    Sample sample =
        ForkRows.sample(
            0,
            4_000_000,
            1 << 20,
            new Usage(0, 500_000, 0, 0, 1 << 20, 0, -1),
            new Usage(0, 1_500_000, 0, 0, 2 << 20, 0, -1));
    RowRun run =
        ForkRows.run(
            BASE.key(),
            null,
            null,
            Codec.NONE,
            Load.files(1 << 20, 4, 1),
            List.of(),
            List.of(sample),
            new DisturbedFork(0, "the cat slept on it", "samples/a-replaced-1.jsonl", false),
            new DisturbedFork(0, "the cat came back", null, false),
            new DisturbedFork(2, "", "samples/a-warm-up-1.jsonl", true),
            new DisturbedFork(2, "", "samples/a-warm-up-2.jsonl", true));

    assertThat(TextReport.markdown(document(run)).replaceAll(" +", " "))
        .contains(
            "| Files | N | MB/s | ns/byte | CPU/GiB | Heap peak | Alloc client | Alloc server |"
                + " CPU client | CPU server | GC client | GC server | Direct client |"
                + " Direct server | CPU/GiB client | CPU/GiB server | Heap peak client |"
                + " Heap peak server |")
        .contains("| **4** | **1** | **1,000.0** | **0.954** | **512.0 ms** | **3.00 MB** |")
        .contains("| **128.0 ms** | **384.0 ms** | **1.00 MB** | **2.00 MB** |")
        .contains("Processes=2")
        .contains("Replaced fork of HttpClient, BufferSize 4096, round 1: the cat slept on it")
        .contains(
            "Kept the disturbed fork of HttpClient, BufferSize 4096, round 1: the cat came back")
        .contains("because the compiler ran beside them: HttpClient, BufferSize 4096, round 3");
  }

  @Test
  void console_verdicts_standWithTheirSizesAndMeanings() {
    assertThat(TextReport.console(document(FAST, BASE, NOISY, NOISY_BASE)))
        .contains(
            "In download: ZeroCopy is 3.8 to 4.1 times faster than HttpClient at BufferSize 4096;"
                + " not decided against HttpClient (its forks"
                + " differ too much) at BufferSize 65536.",
            "corrected for 2 looks",
            "Threshold: 5.0 %. Noise floor, by which a baseline differs from itself in other forks: 3.1 %.",
            "- faster: the whole interval lies below 1",
            "- not decided: ")
        .doesNotContain("- slower: ");
  }

  @Test
  void render_rowFasterThanItsCeiling_saysThatTheCeilingIsInvalid() {
    assertThat(TextReport.console(document(run("ZeroCopy", "4096", null, 8, 9, 10), BASE)))
        .contains(
            "ZeroCopy was faster than its ceiling socket-download at BufferSize 4096 (0.90x): the"
                + " ceiling is not the lower bound here")
        .doesNotContain("HttpClient was faster than its ceiling");
  }

  @Test
  void console_rowsFasterThanTheirCeiling_areNotCalledBoundByIt() {
    String bound = "both are as fast as their ceiling: the machine decides and not the method";

    assertThat(
            TextReport.console(
                document(
                    run("ZeroCopy", "4096", null, 10, 11, 10),
                    run("HttpClient", "4096", null, 10, 10, 11))))
        .contains(bound);
    assertThat(
            TextReport.console(
                document(
                    run("ZeroCopy", "4096", null, 8, 9, 8),
                    run("HttpClient", "4096", null, 8, 8, 9))))
        .contains("ZeroCopy was faster than its ceiling")
        .doesNotContain(bound);
  }

  @Test
  void console_settingsWithDifferentNumbersOfForks_claimNoCommonReason() {
    RunDocument run = document(run("ZeroCopy", "4096", null, 20, 21), BASE, NOISY, NOISY_BASE);

    assertThat(TextReport.console(run))
        .contains(
            "ZeroCopy is not decided against HttpClient at BufferSize 4096 and BufferSize 65536.")
        .doesNotContain("faster than HttpClient", "too few forks)");
  }

  @Test
  void html_verdicts_areDrawnInTheOrderOfTheirRatios() {
    String html =
        HtmlReport.render(
            document(run("Slow", "4096", null, 160, 164, 168, 164, 160), FAST, BASE), false);

    // Without the library of the charts, of which most of the page consists.
    assertThat(html.substring(0, html.indexOf("<script")))
        .containsSubsequence(
            "What should I do?",
            "<li>Use it.</li>",
            "<small>BufferSize 4096</small>",
            ">0.25x</span>",
            ">1x</span>",
            ">2x</span>",
            "<small>1x is HttpClient, 81.6 ms, 5 forks</small>",
            "<th scope=\"row\">ZeroCopy</th><td class=\"median\">20.8 ms, 5 forks</td>",
            "class=\"interval faster\"",
            "<td class=\"says\">3.8 to 4.1 times faster</td>",
            "<th scope=\"row\">Slow</th>",
            "class=\"interval slower\"",
            "<h2>download");
  }

  @Test
  void console_oneForkEach_decidesNothing() {
    assertThat(
            TextReport.console(
                document(run("ZeroCopy", "1", null, 1), run("HttpClient", "1", null, 99))))
        .contains(
            "ZeroCopy is not decided against HttpClient (too few forks).",
            "- not decided: ",
            "or a row has fewer than three forks; more rounds (a longer --time) may decide");
  }

  @Test
  void render_failedRow_showsAsFailedWithItsReason() {
    RunDocument run = document(run("ZeroCopy", "4096", "it <broke>", 20), BASE);

    assertThat(run.failed()).isTrue();
    assertThat(TextReport.console(run))
        .containsPattern("\\| ZeroCopy +\\| 4096 +\\| +failed \\| +- \\|")
        .contains("Failed: suite/download ZeroCopy BufferSize=4096: it <broke>");
    assertThat(HtmlReport.render(run, false))
        .contains("it &lt;broke>")
        .doesNotContain("it <broke>");
  }

  @Test
  void markdown_rowsThatFailedForOneReason_areNamedInOneLine() {
    RowRun[] failed =
        IntStream.range(0, 8)
            .mapToObj(n -> run("ZeroCopy", "" + n, "it broke", 20))
            .toArray(RowRun[]::new);

    assertThat(TextReport.markdown(document(failed)))
        .containsOnlyOnce("Failed: suite/")
        .contains("ZeroCopy BufferSize=0; suite/", "ZeroCopy BufferSize=5; and 2 more: it broke");
  }

  @Test
  void svg_rows_hasABarForEach() {
    String svg = SvgReport.render(document(FAST, BASE, NOISY, NOISY_BASE));

    assertThat(svg.split("<rect fill=", -1)).hasSize(5);
    assertThat(svg).contains("20.8 (0.25x)", "x: times HttpClient");
  }

  @Test
  void json_writtenAndRead_isTheSame(@TempDir Path folder) throws Exception {
    RunDocument run = document(FAST, BASE, run("ZeroCopy", "1", "broke", 20));
    RunJson.write(folder.resolve("run.json"), run);

    assertThat(RunJson.read(folder.resolve("run.json"))).isEqualTo(run);
    assertThat(folder.resolve("run.json")).content().doesNotContain("NaN");
  }

  @Test
  void read_anotherSchema_saysSo(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("run.json");
    Files.writeString(file, "{\"schema\": \"ferry-run/9\"}");

    assertThatThrownBy(() -> RunJson.read(file))
        .isInstanceOf(LabException.class)
        .hasMessageContaining("has schema 'ferry-run/9', this version reads 'ferry-run/2'");
    Files.writeString(file, "{");
    assertThatThrownBy(() -> RunJson.read(file))
        .isInstanceOf(LabException.class)
        .hasMessage(
            file
                + " is not a run: it breaks off or is damaged at line 1; name another, or run bench"
                + " again");
    Files.writeString(file, "{\"schema\": \"ferry-run/2\", \"rows\": 7}");
    assertThatThrownBy(() -> RunJson.read(file))
        .isInstanceOf(LabException.class)
        .hasMessage(
            file + " is not a run that this version can read; name another, or run bench again");
  }

  @Test
  void render_ceilings_haveATableBelow() {
    RunDocument run = document(FAST, BASE);

    assertThat(TextReport.markdown(run).replaceAll(" +", " "))
        .containsSubsequence(
            "| HttpClient",
            "## Ceilings",
            "| Name ",
            "| socket-download | 10.00 ms | 1.414 ms | 10.00 ms | 10 | 2 |",
            "| gzip-all | failed |",
            "| socket-download, 4 files of 102,400 bytes in turn | 5.000 ms |",
            "| 5.000 ms | 20 | 1 |",
            "| socket-download, 64 files of 102,400 bytes at once | failed |",
            "- socket-download: copy, 1 MiB; server sends",
            "- Failed: gzip-all: it <broke>",
            "- Failed: socket-download, 64 files of 102,400 bytes at once: it <broke> too")
        .containsOnlyOnce("- socket-download: copy, 1 MiB; server sends");
    assertThat(TextReport.console(run)).contains("\nCeilings\n").doesNotContain("file-read");
    assertThat(HtmlReport.render(run, false))
        .contains("<h2>Ceilings</h2>", "<td class=\"name\">socket-download</td>")
        .doesNotContain("it <broke>");
  }

  @Test
  void console_network_hasEachCalibrationAndRoundTrips() {
    Calibration measured = new Calibration(10, 12, 100, 100, "udp", 0, 10_000);
    NetworkRun network =
        new NetworkRun(
            new Network("custom", 10, 100.0, 0, 1 << 20, null),
            "bbr",
            true,
            true,
            List.of(measured, measured, measured),
            null,
            null);
    String text = TextReport.console(ForkRows.over(network, document(FAST, BASE)));

    assertThat(text.replaceAll(" +", " "))
        .containsSubsequence(
            "Network before, by", "Network when resumed, by", "Network after, by", "| RTTs |")
        .contains("x | 2.10 |", "x | 8.20 |")
        .contains(
            "On this machine, over a network (custom: RTT 10 ms, 100 Mbit/s, loss 0 %, queue"
                + " 1048576 bytes), for this file:");
  }

  private static Sample ceilingSample(long millis) {
    return new Sample(
        0,
        millis * 1_000_000,
        0L,
        0L,
        0L,
        0L,
        0L,
        0L,
        FILE_BYTES,
        0,
        "copy, 1 MiB",
        "none",
        null,
        null,
        List.of(),
        null,
        null,
        new Disturbance(1, null, null, null, null, null, null));
  }

  private static final List<RowRun> CEILINGS =
      List.of(
          ForkRows.ceiling(
              CeilingName.SOCKET_DOWNLOAD,
              null,
              Status.OK,
              null,
              List.of(ceilingSample(9), ceilingSample(11))),
          ForkRows.ceiling(CeilingName.FILE_READ, null, Status.SKIPPED, "the run ended", List.of()),
          ForkRows.ceiling(CeilingName.GZIP_ALL, null, Status.FAILED, "it <broke>", List.of()),
          ForkRows.ceiling(
              CeilingName.SOCKET_DOWNLOAD,
              Load.files(FILE_BYTES, 4, 1),
              Status.OK,
              null,
              List.of(ceilingSample(20))),
          ForkRows.ceiling(
              CeilingName.SOCKET_DOWNLOAD,
              Load.files(FILE_BYTES, 1, 64),
              Status.FAILED,
              "it <broke> too",
              List.of()));

  private static RunDocument document(RowRun... runs) {
    List<Ceiling> ceilings = Ceilings.of(CEILINGS);
    return ForkRows.document(
        "a CPU", Rows.of(List.of(runs), ceilings), ceilings, CRITERIA, "Use it.");
  }

  private static RowRun run(
      String method, String bufferSize, @Nullable String failure, long... millis) {
    Usage use = new Usage(20_480, 1_000_000, 1, 0, 1 << 24, 1 << 20, -1);
    return ForkRows.run(
        new RowKey("suite", "download", method, Map.of("BufferSize", bufferSize)),
        "HttpClient",
        failure,
        Codec.NONE,
        null,
        List.of(CeilingName.SOCKET_DOWNLOAD),
        IntStream.range(0, millis.length)
            .mapToObj(n -> ForkRows.sample(n, millis[n] * 1_000_000, FILE_BYTES, use))
            .toList());
  }
}
