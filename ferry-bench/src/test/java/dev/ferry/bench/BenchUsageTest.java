package dev.ferry.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.Outcome;
import dev.ferry.cli.PseudoTerminal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bench as its user meets it. */
final class BenchUsageTest {
  @TempDir Path temporary;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "bnch | unknown command 'bnch'; did you mean 'bench'? Or try",
        "bench --filtr table=upload | unknown option '--filtr'; did you mean '--filter'?",
        "bench --processes two | '--processes': 'two' is not a whole number",
        "bench --out= | '': is not a path (is a variable not set?); write '.' for the current"
            + " folder",
        "bench judge --run= | '': is not a path (is a variable not set?)",
        "fetch | unknown command 'fetch'; use one of: bench, serve, help",
      })
  void wrongUse_isOneLineWithTheRemedy(String arguments, String message) {
    Outcome outcome = Outcome.of(new Main(), arguments.split(" "));

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains(message).hasLineCount(1);
  }

  @Test
  void help_commandsOfBench_haveTheirFormerNamesToo() {
    assertThat(Outcome.of(new Main(), "--help").out()).doesNotContain("judge");
    assertThat(Outcome.of(new Main(), "help", "bench").out())
        .containsSubsequence("  report ", "  advise ", "  compare ", "  judge ");
    for (String name : List.of("report", "advise", "compare", "judge")) {
      assertThat(Outcome.of(new Main(), "bench", name, "--help").out())
          .startsWith("Usage: ferry bench " + name);
      assertThat(Outcome.of(new Main(), name, "--help").out()).startsWith("Usage: ferry " + name);
    }
  }

  @Test
  void help_bench_isGrouped() {
    assertThat(Outcome.of(new Main(), "help", "bench").out())
        .containsSubsequence(
            "What is compared:",
            "--suite=",
            "--filter=",
            "--file=",
            "--list",
            "Your settings, in place of the tables':",
            "--methods=",
            "--buffer-sizes=",
            "How, and for how long:",
            "--profile=",
            "--processes=",
            "--profiler=",
            "Output:",
            "--out=",
            "--work-dir=");
  }

  @Test
  void help_bench_printsNothingToStandardError() throws Exception {
    Path out = temporary.resolve("out");
    Path err = temporary.resolve("err");
    ProcessBuilder help =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "bench",
                "--help")
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    // The JVM would print that it uses them.
    help.environment().keySet().removeAll(Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));

    assertThat(help.start().waitFor()).isZero();
    // picocli reports there what it cannot format.
    assertThat(err).isEmptyFile();
    assertThat(out).content().contains("--network=", "loss=0.1%");
  }

  @Test
  void bench_ctrlC_saysWhereTheRunIsAndLeavesNothing() throws Exception {
    Path work = Files.createDirectory(temporary.resolve("work"));
    Path out = temporary.resolve("run");
    try (PseudoTerminal terminal =
        new PseudoTerminal(
            PseudoTerminal.ferry(Main.class)
                + " bench --filter table=download,BufferSize=65536,UseCompression=false"
                + " --work-dir "
                + work
                + " --out "
                + out)) {
      // The first fork runs: it has begun to write.
      awaitEntry(work);
      terminal.await("bench");
      terminal.type(PseudoTerminal.CTRL_C);

      assertThat(terminal.exitCode()).isEqualTo(130);
      assertThat(terminal.screen()).contains("ferry bench: interrupted; what was measured is in");
      assertThat(work).isEmptyDirectory();
    }
  }

  @Test
  void bench_onATerminal_redrawsATableAboveItsProgress() throws Exception {
    try (PseudoTerminal terminal =
        new PseudoTerminal(
            PseudoTerminal.ferry(Main.class)
                + " bench --profile smoke --file-size 64K"
                + " --filter table=download,BufferSize=65536,UseCompression=false,method=ZeroCopy"
                + " --work-dir "
                + Files.createDirectory(temporary.resolve("work"))
                + " --out "
                + temporary.resolve("run"))) {
      terminal.await("report.md the details");

      assertThat(terminal.exitCode()).isZero();
      assertThat(terminal.screen())
          .containsPattern("\\[ {10}\\] 0/3 \\d+:\\d\\d, about \\d+ s left: ceilings, round 1")
          .containsPattern(
              "\\[={6} {4}\\] 2/3 \\d+:\\d\\d, about \\d+ s left: download HttpClient, round 1")
          // The table above the line is drawn again from its first line on.
          .containsPattern("ZeroCopy .*\\u001b\\[K\\r?\\n\\[={6}")
          .contains("\u001b[4A");
    }
  }

  private static void awaitEntry(Path folder) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (isEmpty(folder) && System.nanoTime() < end) {
      Thread.sleep(10);
    }
    assertThat(folder).isNotEmptyDirectory();
  }

  private static boolean isEmpty(Path folder) throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isEmpty();
    }
  }
}
