package dev.ferry.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ferry.cli.Outcome;
import dev.ferry.core.Node;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The report of a default run in headless Chromium. Its screenshots are kept in {@code target}. */
@Timeout(400)
final class ReportPageTest {
  private static final Path RUN = Path.of("src/test/resources/default-run/run.json");

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it.
  Path folder;

  @Test
  void page_onEveryWidth_isWholeAndCanBeUsed() throws Exception {
    assumeTrue(Node.isReady(), Node.SKIPPED);
    Files.copy(RUN, folder.resolve("run.json"));
    assertThat(Outcome.of(new Main(), "report", folder.toString()).exitCode()).isZero();

    List<String> found =
        Node.run(
            "page.mjs",
            folder.resolve("report.html").toString(),
            Path.of("target").toAbsolutePath().toString());

    String sections = "[\"What should I do?\",\"Verdicts\",\"download\",\"upload\",\"Ceilings\"]";
    assertThat(found)
        .hasSize(3)
        .allSatisfy(
            line ->
                assertThat(line)
                    .contains("\"cut\":false", "\"order\":" + sections)
                    .contains("\"fastest\":\"ZeroCopyBare\",\"slowest\":\"HttpClientFile")
                    .contains("\"filtered\":1,\"charts\":true,\"canvas\":0,\"points\":"));
  }
}
