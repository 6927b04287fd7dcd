package dev.ferry.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.ferry.cli.Main;
import dev.ferry.cli.Outcome;
import dev.ferry.cli.PseudoTerminal;
import dev.ferry.cli.docs.Pages.Block;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/**
 * The commands of the pages. Each block without a language runs, in the order of the page, or a
 * comment above it says why not: {@code <!-- not run: REASON -->}.
 */
@Timeout(300)
final class PageCommandsTest {
  private static final Pattern REASON = Pattern.compile("<!-- not run: (.{10,}) -->");
  private static final Pattern TEST = Pattern.compile("\\b[A-Z]\\w+(Test|IT)\\b");
  private static final Pattern COMMAND =
      Pattern.compile("(?:\\./| |^|`)ferry ([a-z]+(?: [^`|;&\\n]*)?)", Pattern.MULTILINE);

  /** Commands in a help: in lines of their own, or in a sentence. */
  private static final Pattern EXAMPLE =
      Pattern.compile("^(?:  |Exit codes: )ferry ([a-z].*)$", Pattern.MULTILINE);

  private static final Pattern QUOTED = Pattern.compile("'ferry ([a-z][^']*)'");
  private static final Pattern PRINTS_ONLY =
      Pattern.compile("(help|config|completion)( [a-z-]+)*|[a-z]+ --help");
  private static final Pattern OPTION = Pattern.compile("(?<= )--[a-z][a-z0-9-]*");

  private static final boolean THOROUGH = Boolean.getBoolean("ferry.thorough");

  @TempDir static Path folder;
  private static Clone clone;

  @BeforeAll
  static void makeAClone() throws Exception {
    clone = new Clone(folder);
  }

  @AfterAll
  static void closeClone() throws Exception {
    clone.close();
  }

  /** Measured tables have the commands of their runs, which take hours. */
  private static List<Path> pages() throws IOException {
    Path docs = Pages.ROOT.resolve("docs");
    return Pages.all().stream()
        .filter(
            page ->
                page.startsWith(docs)
                    || page.startsWith(Pages.ROOT.resolve("deploy"))
                    || page.startsWith(Pages.ROOT.resolve("examples"))
                    || page.equals(Pages.README))
        .filter(page -> !page.startsWith(docs.resolve("results")))
        .toList();
  }

  static List<Path> pagesThatRun() throws IOException {
    return pages().stream()
        .filter(page -> !running(page).isEmpty())
        // What it runs, README and the page about copies run as well.
        .filter(page -> THOROUGH || !page.endsWith("docs/start.md"))
        .toList();
  }

  private static List<String> running(Path page) {
    return Pages.blocks(page).stream()
        .filter(block -> block.language().isEmpty() && !REASON.matcher(block.before()).matches())
        .flatMap(block -> block.lines().stream())
        .toList();
  }

  @ParameterizedTest
  @MethodSource("pagesThatRun")
  void commands_ofAPage_succeed(Path page) throws Exception {
    clone.run(List.of("shopt -s extglob", "rm -rf -- !(ferry|files) files/*", "mkdir -p files"));
    clone.run(Stream.concat(Stream.of("./ferry serve files"), running(page).stream()).toList());
  }

  @Test
  void reasons_ofBlocksThatDoNotRun_nameTestsThatExist() throws IOException {
    Set<String> tests = new HashSet<>();
    try (DirectoryStream<Path> modules =
        Files.newDirectoryStream(Pages.ROOT, "{ferry-*,examples}")) {
      for (Path module : modules) {
        Path sources = module.resolve("src/test/java");
        if (Files.exists(sources)) {
          try (Stream<Path> files = Files.walk(sources)) {
            files.forEach(file -> tests.add(file.getFileName().toString()));
          }
        }
      }
    }
    for (Path page : pages()) {
      for (Block block : Pages.blocks(page)) {
        Matcher reason = REASON.matcher(block.before());
        if (reason.matches()) {
          assertThat(TEST.matcher(reason.group(1)).results().map(test -> test.group() + ".java"))
              .as(page.toString())
              .allMatch(tests::contains);
        }
      }
    }
  }

  /** Also those of commands that do not run, and of those in a sentence. */
  @Test
  void options_ofCommands_exist() throws IOException {
    CommandLine ferry = new Main().commandLine();
    for (String words : named(ferry)) {
      String[] command = words.split(" ", 2);
      CommandLine named = ferry.getSubcommands().get(command[0]);
      if (named == null || command[0].equals("bench")) {
        continue;
      }
      String rest = command.length == 1 ? "" : " " + command[1].replaceFirst("#.*", "");
      CommandLine spoken = named.getSubcommands().getOrDefault(rest.strip().split(" ")[0], named);
      assertThat(OPTION.matcher(rest).results().map(MatchResult::group))
          .as(words)
          .allMatch(option -> spoken.getCommandSpec().findOption(option) != null);
    }
  }

  /** Those that print what Ferry knows without a server. */
  @Test
  void commands_thatPrintOnly_doSo() throws Exception {
    Set<String> commands = new TreeSet<>();
    for (String words : named(new Main().commandLine())) {
      if (PRINTS_ONLY.matcher(words).matches()) {
        commands.add(words);
      }
    }
    assertThat(commands).contains("help exit-codes", "config put").hasSizeLessThan(20);
    for (String words : commands) {
      Outcome outcome = Outcome.of(words.split(" "));
      assertThat(outcome.exitCode()).as("%s: %s", words, outcome).isZero();
      assertThat(outcome.out() + outcome.err()).as(words).isNotBlank();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--version", "help"})
  void command_thatPrintsOnly_doesSoInAProcess(String word) throws Exception {
    ProcessBuilder process =
        new ProcessBuilder(Clone.java(), PseudoTerminal.SHORT_LIFE, Main.class.getName(), word)
            .redirectErrorStream(true);
    process.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    process.environment().put("FERRY_CONFIG", "");
    Process ferry = process.start();
    ferry.outputWriter().close();
    String printed = new String(ferry.getInputStream().readAllBytes());
    assertThat(ferry.waitFor()).as(printed).isZero();
    assertThat(printed).isNotBlank();
  }

  @Test
  void examples_ofTheHelp_canBeParsed() {
    CommandLine ferry = new Main().commandLine();
    for (CommandLine command : ferry.getSubcommands().values()) {
      Matcher example = EXAMPLE.matcher(command.getUsageMessage());
      while (example.find()) {
        String[] words = example.group(1).replaceAll("['\"]", "").split(" +");
        assertThatCode(() -> new Main().commandLine().parseArgs(words))
            .as(example.group())
            .doesNotThrowAnyException();
      }
    }
  }

  /** The commands that pages and help texts name, without the word {@code ferry}. */
  private static List<String> named(CommandLine ferry) throws IOException {
    List<String> commands = new ArrayList<>();
    for (Path page : pages()) {
      COMMAND.matcher(Files.readString(page)).results().forEach(c -> commands.add(c.group(1)));
    }
    List<CommandLine> all = new ArrayList<>(ferry.getSubcommands().values());
    all.add(ferry);
    for (CommandLine command : all) {
      String help = command.getUsageMessage();
      EXAMPLE.matcher(help).results().forEach(c -> commands.add(c.group(1)));
      QUOTED.matcher(help.replaceAll("\\s+", " ")).results().forEach(c -> commands.add(c.group(1)));
    }
    return commands.stream().map(String::strip).toList();
  }
}
