package dev.ferry.cli.completion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CompletionCommandTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "ferry ge, get",
    "ferry get --bwl, --bwlimit",
    "ferry put --client gr, grpc",
    "ferry token re, remove",
    "ferry compl, completion",
  })
  void bash_word_isCompleted(String typed, String completed) throws Exception {
    Path script = script("bash");
    int last = typed.split(" ").length - 1;

    // bash has compopt only while it completes.
    String replies =
        bash(
            "compopt() { :; }; . '%s'; COMP_WORDS=(%s) COMP_CWORD=%d; _complete_ferry; %s"
                .formatted(script, typed, last, "echo \"${COMPREPLY[@]}\""));

    assertThat(replies.strip()).isEqualTo(completed);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh"})
  void bashAndZsh_script_isSound(String shell) throws Exception {
    assertThat(bash("bash -n '" + script(shell) + "'")).isEmpty();
  }

  @Test
  void zsh_script_isAFunctionOfItsPath() {
    assertThat(Outcome.of("completion", "zsh").out())
        .startsWith("#compdef ferry\nfunction compopt ")
        .endsWith("\n_bash_complete -o default -F _complete_ferry\n");
  }

  @Test
  void fish_script_hasCommandsAndTheirOptions() {
    assertThat(Outcome.of("completion", "fish").out().lines())
        .contains(
            "complete -c ferry -n '__fish_seen_subcommand_from put' -l client -x -a"
                + " 'grpc http' -d 'The protocol: grpc, http (default: http; grpc with --zstd or a"
                + " --level other than 1, or if the server speaks only grpc)'")
        .anyMatch(
            line -> line.endsWith(" -f -a 'get' -d 'Copies files of a server to this machine'"))
        .anyMatch(line -> line.matches("complete -c ferry -s h -l help -d .*"))
        .noneMatch(line -> line.contains("man-pages") || line.contains("carrier"))
        .allMatch(line -> line.startsWith("complete -c ferry "));
  }

  private Path script(String shell) throws IOException {
    return Files.writeString(
        folder.resolve(shell), Outcome.of("completion", shell).out(), StandardCharsets.UTF_8);
  }

  /** Runs commands, and returns all that they print. */
  private static String bash(String commands) throws Exception {
    Process bash =
        new ProcessBuilder("bash", "--norc", "-c", commands).redirectErrorStream(true).start();
    String printed = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).as(printed).isIn(0, 1);
    return printed;
  }
}
