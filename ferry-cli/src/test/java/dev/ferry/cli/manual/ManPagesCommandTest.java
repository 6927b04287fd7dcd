package dev.ferry.cli.manual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.Main;
import dev.ferry.cli.Outcome;
import dev.ferry.core.FerryVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

final class ManPagesCommandTest {
  @TempDir Path temporary;

  private Path folder;

  @BeforeEach
  void writePages() {
    folder = temporary.resolve("share/man1");
    assertThat(Outcome.of("man-pages", folder.toString())).isEqualTo(new Outcome(0, "", ""));
  }

  @Test
  void pages_areThoseOfTheVisibleCommands() throws IOException {
    try (Stream<Path> pages = Files.list(folder)) {
      assertThat(pages)
          .extracting(page -> page.getFileName().toString())
          .containsExactlyInAnyOrderElementsOf(
              visible().stream().map(command -> name(command) + ".1").toList())
          .contains("ferry.1", "ferry-get.1", "ferry-token-add.1")
          .doesNotContain("ferry-judge.1", "ferry-man-pages.1");
    }
  }

  @Test
  void page_hasEachOptionOfItsCommandAndNothingThatRoffWouldTakeForARequest() throws IOException {
    for (CommandLine command : visible()) {
      List<String> page = page(name(command));

      for (OptionSpec option : command.getCommandSpec().options()) {
        if (option.hidden()) {
          continue;
        }
        assertThat(page)
            .as(name(command))
            .anyMatch(
                line ->
                    line.startsWith(
                        "\\fB"
                            + String.join("\\fR, \\fB", option.names()).replace("-", "\\-")
                            + "\\fR"));
      }
      assertThat(page)
          .as(name(command))
          .allMatch(line -> line.matches("\\.(TH|SH|PP|TP|br|nh|ad)( .*)?|[^.'].*"));
    }
  }

  @Test
  void page_ofACommand_hasTheTextsOfItsHelp() throws IOException {
    assertThat(page("ferry-token-remove"))
        .startsWith(
            ".TH \"FERRY\\-TOKEN\\-REMOVE\" 1 \"\" \"Ferry "
                + FerryVersion.current().version().replace("-", "\\-")
                + "\" \"Ferry Manual\"",
            ".nh",
            ".ad l",
            ".SH NAME",
            "ferry\\-token\\-remove \\- removes a user",
            ".SH SYNOPSIS",
            "\\fBferry token remove\\fR [\\fIOPTIONS\\fR] \\fIFILE\\fR \\fINAME\\fR",
            ".SH DESCRIPTION",
            "Removes a user. Running transfers are not ended.",
            ".SH ARGUMENTS",
            ".TP",
            "\\fIFILE\\fR",
            "The file of \\-\\-users.",
            ".TP",
            "\\fINAME\\fR",
            "The name of the user.",
            ".SH OPTIONS",
            ".TP",
            "\\fB\\-h\\fR, \\fB\\-\\-help\\fR",
            "Show this help message and exit.")
        .containsSequence(".SH EXIT STATUS", ".TP", "\\fI0\\fR", "success")
        .endsWith(".SH SEE ALSO", "\\fBferry\\-token\\fR(1)");
    assertThat(page("ferry-get")).contains("\\fB\\-\\-bwlimit\\fR=\\fIRATE\\fR");
    assertThat(page("ferry-serve")).anyMatch(line -> line.contains("1 % of the disk"));
    assertThat(page("ferry-token"))
        .contains(".SH EXAMPLES", ".SH COMMANDS", "\\fBferry\\-token\\-remove\\fR(1)");
  }

  private List<String> page(String name) throws IOException {
    return Files.readAllLines(folder.resolve(name + ".1"));
  }

  private static String name(CommandLine command) {
    return command.getCommandSpec().qualifiedName("-");
  }

  /** The program, and all commands and commands below them that are not hidden. */
  private static List<CommandLine> visible() {
    List<CommandLine> visible = new ArrayList<>();
    addVisible(new Main().commandLine(), visible);
    return visible;
  }

  private static void addVisible(CommandLine command, List<CommandLine> visible) {
    if (!command.getCommandSpec().usageMessage().hidden()) {
      visible.add(command);
      command.getSubcommands().values().forEach(child -> addVisible(child, visible));
    }
  }
}
