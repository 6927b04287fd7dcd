package dev.ferry.cli.program;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.Main;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

final class RecordedCommandsTest {
  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void write() throws Exception {
    file = folder.resolve("commands");
    Main.record(file);
  }

  private CommandLine recorded(String name) throws Exception {
    return command(requireNonNull(RecordedCommands.read(file, new Main(), name)), name);
  }

  private static CommandLine annotated(String name) {
    return command(new Main().commandLine(), name);
  }

  private static CommandLine command(CommandLine program, String name) {
    return requireNonNull(program.getSubcommands().get(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"put", "get", "cat", "ls", "stat", "rm", "mv", "mkdir", "sync"})
  void read_command_hasEveryOptionOfItsAnnotations(String name) throws Exception {
    assertThat(facts(recorded(name))).isNotEmpty().isEqualTo(facts(annotated(name)));
    assertThat(recorded(name).getCommandSpec().qualifiedName()).isEqualTo("ferry " + name);
  }

  /** What parsing needs. */
  private static Set<String> facts(CommandLine command) {
    Set<String> facts = new TreeSet<>();
    for (ArgSpec arg : command.getCommandSpec().args()) {
      List<Object> fact = new ArrayList<>();
      if (arg instanceof OptionSpec option) {
        if (option.usageHelp() || option.versionHelp()) {
          continue;
        }
        fact.addAll(List.of(Arrays.toString(option.names()), option.negatable()));
        fact.add(option.fallbackValue());
      } else {
        fact.add(((PositionalParamSpec) arg).index());
      }
      fact.addAll(List.of(arg.arity(), arg.paramLabel(), arg.required(), arg.type()));
      fact.addAll(List.of(arg.auxiliaryTypes()));
      for (Object converter : arg.converters()) {
        fact.add(converter.getClass());
      }
      fact.add(arg.defaultValue());
      fact.add(arg.splitRegex());
      facts.add(fact.toString());
    }
    return facts;
  }

  @Test
  void read_commandLine_isParsedAsByTheAnnotations() throws Exception {
    String[] words = {"get", "a", "b", "--force", "--pin=x", "--pin", "y", "--streams=4", "-q"};
    CommandLine line = requireNonNull(RecordedCommands.read(file, new Main(), "get"));
    ParseResult recorded = line.parseArgs(words).subcommand();
    ParseResult annotated = new Main().commandLine().parseArgs(words).subcommand();
    for (OptionSpec option : annotated.commandSpec().options()) {
      OptionSpec same = recorded.commandSpec().findOption(option.longestName());
      if (same != null) {
        assertThat((Object) same.getValue()).as(option.longestName()).isEqualTo(option.getValue());
      }
    }
    assertThat(recorded.matchedPositionals()).hasSameSizeAs(annotated.matchedPositionals());
  }

  @Test
  void read_otherNames_hasNone() throws Exception {
    assertThat(RecordedCommands.read(file, new Main(), "no-such-command")).isNull();
    // Its options are a group.
    assertThat(RecordedCommands.read(file, new Main(), "doctor")).isNull();
    // They look at the other commands.
    for (String name : List.of("help", "completion", "man-pages", "config")) {
      assertThat(RecordedCommands.read(file, new Main(), name)).as(name).isNull();
    }
  }

  @Test
  void execute_recordedCommand_failsAndHelpsAsWithoutRecord() throws Exception {
    System.setProperty("ferry.commands", file.toString());
    try {
      Path missing = folder.resolve("missing");
      assertThat(new Main().execute(new String[] {"put", missing.toString()})).isEqualTo(3);
      assertThat(new Main().execute(new String[] {"put", "--no-such-option"})).isEqualTo(2);
      assertThat(new Main().execute(new String[] {"put", "--help"})).isZero();
      assertThat(new Main().execute(new String[] {"ls", "--version"})).isZero();
      Files.writeString(file, "damaged");
      assertThat(new Main().execute(new String[] {"put", missing.toString()})).isEqualTo(3);
    } finally {
      System.clearProperty("ferry.commands");
    }
  }
}
