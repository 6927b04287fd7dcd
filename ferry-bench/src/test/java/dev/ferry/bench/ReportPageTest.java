package dev.ferry.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ferry.cli.Outcome;
import dev.ferry.core.Node;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RowRun;
import dev.ferry.lab.model.Sample.Usage;
import dev.ferry.lab.report.RunJson;
import dev.ferry.lab.stats.ForkRows;
import dev.ferry.lab.stats.Rows;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Reports in headless Chromium. Their screenshots are kept in {@code target}. */
@Timeout(400)
final class ReportPageTest {
  private static final Usage USE = new Usage(1 << 20, 1_000_000, 0, 0, 1, 1, -1);
  private static final Path RUN = Path.of("src/test/resources/default-run/run.json");

  @TempDir Path folder;

  @Test
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void page_onEveryWidth_isWholeAndCanBeUsed() throws Exception {
    assumeTrue(Node.isReady(), Node.SKIPPED);
    Files.copy(RUN, folder.resolve("run.json"));

    String sections = "[\"What should I do?\",\"Verdicts\",\"download\",\"upload\",\"Ceilings\"]";
    assertThat(found("default"))
        .hasSize(4)
        .allSatisfy(
            line ->
                assertThat(line)
                    .contains("\"cut\":false,\"figures\":true", "\"order\":" + sections)
                    .contains("\"fastest\":\"ZeroCopyBare\",\"slowest\":\"HttpClientFile")
                    .contains("\"filtered\":1,\"overlaps\":0,\"shortened\":0")
                    .contains("\"barsFill\":true,\"charts\":true")
                    .contains("\"canvas\":0,\"points\":26"));
  }

  @Test
  void page_rowsOfTwoForksOrFailed_isWhole() throws Exception {
    write(
        row("Base", 0, null, 90, 95, 85),
        row("ZeroCopy", 0, null, 30, 90),
        row("<img src=x>", 0, null, 5, 30, 130),
        row("Failed", 0, "the digest " + "0123456789abcdef".repeat(8) + " differs", 5));

    assertThat(found("failed"))
        .hasSize(4)
        .allSatisfy(line -> assertThat(line).contains("\"shortened\":0"))
        .allSatisfy(ReportPageTest::isWhole);
  }

  @Test
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void page_twoHundredRows_isWhole() throws Exception {
    write(
        IntStream.range(0, 200)
            .mapToObj(
                n -> {
                  double time = (1 + n % 10) * Math.pow(1.4, n / 10);
                  String method =
                      n % 10 == 0 ? "Base" : "AMethodWithAVeryLongNameThatIsNumber" + n % 10;
                  return row(method, n / 10, null, time, 1.1 * time, 1.2 * time);
                })
            .toArray(RowRun[]::new));

    assertThat(found("many")).hasSize(4).allSatisfy(ReportPageTest::isWhole);
  }

  private static void isWhole(String line) {
    assertThat(line)
        .contains(
            "\"cut\":false,\"figures\":true",
            "\"overlaps\":0",
            "\"barsFill\":true,\"charts\":true");
  }

  private void write(RowRun... rows) throws Exception {
    assumeTrue(Node.isReady(), Node.SKIPPED);
    RunJson.write(
        folder.resolve("run.json"), ForkRows.document("a CPU", Rows.of(List.of(rows), List.of())));
  }

  private static RowRun row(
      String method, int setting, @Nullable String failure, double... millis) {
    return ForkRows.run(
        new RowKey("suite", "table", method, Map.of("BufferSize", Integer.toString(setting))),
        "Base",
        failure,
        Codec.NONE,
        null,
        List.of(),
        IntStream.range(0, millis.length)
            .mapToObj(n -> ForkRows.sample(n, Math.round(millis[n] * 1e6), 1 << 20, USE))
            .toList());
  }

  /** Renders the run in the folder, and returns what its page looks like. */
  private List<String> found(String name) throws Exception {
    int failed = name.equals("failed") ? 1 : 0;
    assertThat(Outcome.of(new Main(), "report", folder.toString()).exitCode()).isEqualTo(failed);
    return Node.run(
        "page.mjs",
        folder.resolve("report.html").toString(),
        Path.of("target/page-" + name).toAbsolutePath().toString());
  }
}
