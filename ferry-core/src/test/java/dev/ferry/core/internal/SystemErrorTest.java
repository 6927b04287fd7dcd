package dev.ferry.core.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ferry.core.GermanLocale;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

@Timeout(400)
final class SystemErrorTest {
  private static final List<String> KINDS =
      List.of(
          "OUT_OF_SPACE NO_SPACE",
          "OUT_OF_SPACE NO_SPACE",
          "ALREADY_EXISTS IS_A_DIRECTORY",
          "ALREADY_EXISTS IS_A_DIRECTORY",
          "ALREADY_EXISTS NOT_A_DIRECTORY",
          "INVALID_PATH NAME_TOO_LONG",
          "INVALID_PATH LINK_LOOP",
          "PERMISSION_DENIED NOT_PERMITTED",
          "INTERNAL BROKEN_PIPE",
          "REFUSED",
          "REFUSED",
          "it: too many open files; raise the limit of this process (ulimit -n)");

  @TempDir Path folder;

  /** Returns the lines of a process with few file descriptors. */
  private List<String> caused(Map<String, String> locale) throws Exception {
    ProcessBuilder shell =
        new ProcessBuilder(
            "sh",
            "-c",
            "ulimit -n 100; exec '%s' -XX:TieredStopAtLevel=1 '%s' '%s'"
                .formatted(
                    ProcessHandle.current().info().command().orElseThrow(),
                    CausedErrors.class.getName(),
                    Files.createDirectory(folder.resolve("caused"))));
    shell.environment().putAll(locale);
    shell.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    Path out = folder.resolve("out");
    shell.redirectErrorStream(true).redirectOutput(out.toFile()).start().waitFor();
    return Files.readAllLines(out);
  }

  private static List<String> kinds(List<String> lines) {
    return lines.stream().map(line -> line.split(" \\| ", 2)[0]).toList();
  }

  @Test
  void of_errorsInEnglish_areKnown() throws Exception {
    assertThat(kinds(caused(Map.of()))).isEqualTo(KINDS);
  }

  @Test
  @EnabledIfSystemProperty(
      named = "ferry.thorough",
      matches = "true",
      disabledReason = "-Pthorough")
  void of_errorsInAnotherLanguage_areTheSame() throws Exception {
    assumeTrue(GermanLocale.isReady(), GermanLocale.SKIPPED);
    List<String> lines = caused(GermanLocale.environment());
    assertThat(lines).first().asString().contains("Speicherplatz");
    assertThat(kinds(lines)).isEqualTo(KINDS);
  }
}
