package dev.ferry.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.Outcome;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JudgeCommandTest {
  @TempDir Path folder;

  @Test
  void judge_reports_areOneText() throws Exception {
    String table =
        """
        # Calls
        | Method | Mean   | Error | StdDev |
        |--------|-------:|------:|-------:|
        | A      | 10 ms  | 1 ms  | 0.7 ms |
        | B      | 100 ms | 1 ms  | 0.7 ms |
        """;
    String one = Files.writeString(folder.resolve("one.md"), table).toString();
    String two = Files.writeString(folder.resolve("two.md"), table).toString();

    Outcome outcome = Outcome.of(new Main(), "judge", "--markdown", one, two);

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out())
        .startsWith("Tables: 2. Comparisons: 2, of which 2 slower.\n\n## one.md\n")
        .contains("## two.md", "### Line 2 / Calls", "9.09 to 11.12 times slower")
        .containsPattern("## Method\\n\\nRatio is [^\\n]*\\n$");
  }

  @Test
  void judge_someInputIsWrong_judgesTheRestAndFails() throws Exception {
    String other = Files.writeString(folder.resolve("other.md"), "nothing").toString();
    String table =
        Files.writeString(
                folder.resolve("table.md"),
                """
                | Method | Mean  | Error |
                |--------|------:|------:|
                | A      | 10 ms | 1 ms  |
                | B      | 90 ms | 1 ms  |
                | C      | fast  | 1 ms  |
                """)
            .toString();

    Outcome outcome = Outcome.of(new Main(), "judge", other, table);

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.out())
        .startsWith("Tables: 1, and 1 not read. Comparisons: 1, of which 1 slower.\n");
    assertThat(outcome.err())
        .hasLineCount(1)
        .contains("other.md has no table with the columns Method and Mean")
        .contains("(and 1 more)");
  }

  @Test
  void judge_someFilesCannotBeRead_judgesTheRestAndNamesEach() throws Exception {
    Path binary = Files.write(folder.resolve("binary.md"), new byte[] {(byte) 0xff, (byte) 0xfe});
    Path table =
        Files.writeString(
            folder.resolve("t.md"), "| Method | Mean |\n|---|---:|\n| A | 10 ms |\n| B | 9 ms |\n");

    Outcome outcome =
        Outcome.of(new Main(), "judge", binary.toString(), "no-such.md", table.toString());

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.out()).startsWith("Tables: 1. Comparisons: 1");
    assertThat(outcome.err())
        .hasLineCount(2)
        .contains("ferry judge: " + binary + " is not UTF-8 text; save it as UTF-8\n")
        .contains("ferry judge: no-such.md is not a file; name a report in Markdown\n");
  }

  @Test
  void judge_ontoAFullDisk_saysSo() throws Exception {
    Path table =
        Files.writeString(
            folder.resolve("t.md"), "| Method | Mean |\n|---|---:|\n| A | 10 ms |\n| B | 9 ms |\n");
    Path err = folder.resolve("err");
    ProcessBuilder judge =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                Main.class.getName(),
                "judge",
                table.toString())
            .redirectOutput(new File("/dev/full"))
            .redirectError(err.toFile());
    judge.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    assertThat(judge.start().waitFor()).isEqualTo(9);
    assertThat(err)
        .content()
        .endsWith(
            "ferry judge: standard output: no space left on the disk" + System.lineSeparator());
  }

  @Test
  void judge_wrongInput_isOneLine() throws Exception {
    Path empty = Files.writeString(folder.resolve("empty.md"), "nothing");
    Path binary = Files.write(folder.resolve("binary.md"), new byte[] {(byte) 0xff, (byte) 0xfe});

    assertFails(2, "Missing required parameter: 'FILE'; try");
    assertFails(1, "no-such.md is not a file; name a report in Markdown", "no-such.md");
    assertFails(1, "empty.md has no table with the columns Method and Mean", empty.toString());
    assertFails(1, "is not UTF-8 text; save it as UTF-8", binary.toString());
    assertFails(1, "run.json does not exist", "--run", folder.toString(), empty.toString());
  }

  private static void assertFails(int exitCode, String message, String... arguments) {
    String[] all = new String[arguments.length + 1];
    all[0] = "judge";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    Outcome outcome = Outcome.of(new Main(), all);

    assertThat(outcome.exitCode()).isEqualTo(exitCode);
    assertThat(outcome.err()).contains(message).hasLineCount(1);
  }
}
