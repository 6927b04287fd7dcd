package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

final class UsageTest {
  @Test
  void sync_maxDeleteThatIsNoLimit_isWrongUse() {
    for (String limit :
        new String[] {"", "x", "-1", "1.5", "101%", "-1%", "%", "1%%", "9999999999999999999"}) {
      Outcome outcome = Outcome.of("sync", "a", "ferry://h/b", "--delete", "--max-delete=" + limit);
      assertThat(outcome.exitCode()).as(limit).isEqualTo(2);
      assertThat(outcome.err()).contains("--max-delete", "write a number of files").hasLineCount(1);
    }
  }

  static Stream<Arguments> wrongUses() {
    return Stream.of(
        wrong("unknown command 'bnch'; did you mean 'bench'? Or try", "bnch"),
        wrong("unknown command 'gte'; did you mean 'get'?", "gte file"),
        wrong("unknown command 'frob'; use one of: serve, get, put, ls", "frob file"),
        wrong("unknown command 'copy'; did you mean 'get' or 'put' or 'cp'?", "copy a b"),
        wrong("unknown command 'Download'; did you mean 'get'?", "help Download"),
        wrong("unknown command 'gte'; did you mean 'get'?", "help gte"),
        wrong("unknown option '--chunksize'; did you mean '--chunk-size'?", "put a --chunksize 1"),
        wrong("unknown option '--chunksize'; did you mean '--chunk-size'?", "put a --chunksize=1"),
        wrong("unknown option '--cliemt'; did you mean '--client'?", "get a --cliemt http"),
        wrong("unknown option '--colour'; try", "get a --colour"),
        wrong("did you mean '--grpc-port' or '--http-port'?", "serve --port 8000"),
        wrong("'--level': 'x' is not a whole number", "get a --level x"),
        wrong("'c' is one argument too many", "mv a b c"),
        wrong("Missing required parameter: 'PATH'", "get"),
        wrong("Missing required parameter: 'FILE'", "put"),
        wrong("'ftp' is not a client; use one of: grpc, http", "ls --client ftp"),
        wrong("'grcp' is not a client; did you mean 'grpc'?", "ls --carrier grcp"),
        wrong("'http2' is no longer a client; use http", "ls --carrier http2"),
        wrong("'gRPC-web' is no longer a client; use http", "ls --carrier gRPC-web"),
        wrong("'grpc-web-text' is no longer a client; use http", "ls --carrier grpc-web-text"),
        wrong("--server: '[::1' is not HOST, HOST:PORT or [IPV6]:PORT", "ls --server [::1"),
        wrong("--server: '::1' is not HOST", "ls --server ::1"),
        wrong("--server: ':7070' is not HOST", "ls --server :7070"),
        wrong("port 70000 is not from 1 to 65535", "ls --server localhost:70000"),
        wrong("port 0 is not from 1 to 65535", "ls --server localhost:0"),
        wrong("--chunk-size: 0 bytes are not from 1 to 1048512", "get a --chunk-size 0"),
        wrong("--chunk-size: 2147483648 bytes are not from 1", "get a --chunk-size 2G"),
        wrong("'--chunk-size': '64X' is not a size; give bytes, or", "get a --chunk-size 64X"),
        wrong("--bwlimit: 512 bytes a second are too few; give 1024", "get a --bwlimit 512"),
        wrong("'--bwlimit': '10M/s' is not a size; give bytes", "put a --bwlimit 10M/s"),
        wrong("'soon' is not a time; give one such as 500ms, 30s, 5m", "get a --timeout soon"),
        wrong("--retries: -1 is negative; give 0 or more", "ls --retries=-1"),
        wrong("'--retry-for': 'long' is not a time; give one such as", "ls --retry-for long"),
        wrong("FILE '-': --parents, --verify-disk, --streams and --json are not", "get a - --json"),
        wrong("invalid path '../a': '..' is not allowed", "get ../a"),
        wrong("/: is the root folder; name a file in it", "get /"),
        wrong("2026/: is a folder; add -r to copy what is in it", "get 2026/"),
        wrong("2026/: is a folder, as its '/' says; name a file in it", "cat 2026/"),
        wrong("/: it has no name; give PATH", "put -r /"),
        wrong(
            "'http://host:7080/a': the files of a server are below /files/",
            "get http://host:7080/a"),
        wrong("invalid path 'a//b'", "stat a//b"),
        wrong("invalid path '..'", "ls ../"),
        wrong("--grpc-port: 70000 is not from 0 to 65535", "serve --grpc-port 70000"),
        wrong("--http-port: -1 is not from 0 to 65535", "serve --http-port=-1"),
        wrong("--http-port: 0 is not from 1 to 65535", "doctor --http-port 0"),
        wrong("Missing required argument(s): --tls-key=FILE", "doctor --tls-cert a.pem"),
        wrong(
            "--allow-origin: 'example.org' is neither an origin such as https://example.org",
            "serve --allow-origin example.org"),
        wrong(
            "--host-name: 'files.example:80' is not a host name such as files.example.org",
            "serve --host-name files.example:80"),
        wrong("--base-path: '' is not a base path", "serve --base-path="),
        wrong("--base-path: '/files': '/files' is a path of the", "serve --base-path /files"),
        wrong("--tls-min: '1.1' is neither 1.2 nor 1.3", "serve --tls-min 1.1"),
        wrong("'10X' is not a size", "serve --max-file-size 10X"),
        wrong("--max-expansion: -1 is negative", "serve --max-expansion=-1"));
  }

  private static Arguments wrong(String message, String commandLine) {
    return Arguments.of(message, commandLine);
  }

  @ParameterizedTest
  @MethodSource("wrongUses")
  void execute_wrongUse_saysSoInOneLineAndExitsWith2(String message, String commandLine) {
    Outcome outcome = Outcome.of(commandLine.split(" "));

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err().lines()).singleElement().asString().contains(message, "--help'");
    assertThat(outcome.err()).startsWith("ferry");
    assertThat(outcome.out()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"version", "help version", "config version"})
  void unknownCommand_isToldAllCommandsButHiddenOnes(String commandLine) {
    assertThat(Outcome.of(commandLine.split(" ")).err())
        .contains("unknown command 'version'; use one of: serve, get,", "help, completion; try")
        .doesNotContain("judge", "man-pages");
    assertThat(Outcome.of("help", "completion").out()).startsWith("Usage: ferry completion");
  }

  @Test
  void put_missingFile_saysSoInOneLineAndExitsWith3(@TempDir Path folder) {
    Path missing = folder.resolve("missing.csv");

    Outcome outcome = Outcome.of("put", missing.toString());

    assertThat(outcome)
        .isEqualTo(failure(3, "ferry put: " + missing + ": no such file; name a file to send"));
  }

  @Test
  void put_directory_saysSoInOneLineAndExitsWith1(@TempDir Path folder) {
    assertThat(Outcome.of("put", folder.toString()))
        .isEqualTo(
            failure(1, "ferry put: " + folder + ": is a folder; add -r to send what is in it"));
  }

  @Test
  void serve_missingFolder_saysSoInOneLineAndExitsWith3(@TempDir Path folder) {
    Path missing = folder.resolve("missing");

    assertThat(Outcome.of("serve", missing.toString()))
        .isEqualTo(
            failure(3, "ferry serve: " + missing + ": no such folder; name a folder to serve"));
  }

  @Test
  void serve_file_saysSoInOneLineAndExitsWith3(@TempDir Path folder) throws Exception {
    Path file = Files.createFile(folder.resolve("file"));

    assertThat(Outcome.of("serve", file.toString()))
        .isEqualTo(
            failure(
                3, "ferry serve: " + file + ": is a file, not a folder; name a folder to serve"));
  }

  @Test
  void path_withAMissingPart_namesIt(@TempDir Path folder) throws Exception {
    Path missing = folder.resolve("missing");
    Path file = Files.createFile(folder.resolve("file"));

    assertThat(Outcome.of("serve", missing + "/a/b"))
        .isEqualTo(
            failure(3, "ferry serve: " + missing + ": no such folder; name a folder to serve"));
    assertThat(Outcome.of("serve", file + "/a"))
        .isEqualTo(
            failure(
                3, "ferry serve: " + file + ": is a file, not a folder; name a folder to serve"));
    assertThat(Outcome.of("put", missing + "/a.csv"))
        .isEqualTo(failure(3, "ferry put: " + missing + ": no such folder; name a file to send"));
    assertThat(Outcome.of("put", file + "/a.csv"))
        .isEqualTo(
            failure(3, "ferry put: " + file + ": is a file, not a folder; name a file to send"));
  }

  @Test
  void serve_folderWhereNothingCanBeMade_asksForReadOnly() throws Exception {
    Path folder = Path.of("/proc/self");
    assumeThat(folder).isDirectory();

    assertThat(Outcome.of("serve", folder.toString()))
        .isEqualTo(
            failure(
                5,
                "ferry serve: "
                    + folder.toRealPath()
                    + ": cannot be written to; --read-only serves it anyway"));
  }

  @Test
  void help_exitCodes_listsThemOnce() {
    assertThat(Outcome.of("help", "exit-codes").out())
        .containsPattern("^ +0 +\\S.*\\R +1 +any other failure\\R +2 +wrong use.*\\R +3 +\\S")
        .containsPattern(" 129 .*\\R +130 .*Ctrl-C\\R +143 .*SIGTERM");
    for (String command : Main.newCommandLine().getSubcommands().keySet()) {
      assertThat(Outcome.of(command, "--help").out())
          .contains("\nExit codes: ferry help exit-codes\n")
          .doesNotContain("130");
    }
  }

  @Test
  void help_ofACommand_hasGroupsExamplesAndWholeWords() {
    String get = Outcome.of("get", "--help").out();
    assertThat(get)
        .containsSubsequence(
            "Usage: ferry get [OPTIONS] PATH [PATH...] [FILE]\n",
            "\nMost used:\n  -r, --recursive ",
            "\nFiles:\n",
            "\nTransfer:\n",
            "\nConnection:\n",
            "\nTLS and identity:\n",
            "\nOutput:\n",
            "\nAdvanced:\n",
            "\nExamples:\n  ferry get ")
        .contains(" ferry://HOST:PORT/PATH", "--client=CLIENT")
        .doesNotContain("carrier");
    assertThat(get.split("--force,? ", -1)).as("options are named once").hasSize(2);
    CommandLine ferry = Main.newCommandLine();
    for (CommandLine command : ferry.getSubcommands().values()) {
      String words = command.getUsageMessage().replaceAll("\\s+", " ");
      for (OptionSpec option : command.getCommandSpec().options()) {
        if (!option.hidden()) {
          String text = String.join(" ", option.description());
          assertThat(words)
              .contains(String.join(", ", option.names()))
              .contains(text.replaceAll("\\s+", " ").strip());
        }
      }
    }
    assertThat(Outcome.of("--help").out())
        .containsSubsequence("  serve ", "  get ", "  put ", "  ls ");
  }

  @Test
  void put_debug_showsTheStackTraceToo(@TempDir Path folder) {
    Outcome outcome = Outcome.of("put", "--debug", folder.toString());

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("is a folder", "\tat dev.ferry.cli.client.PutCommand");
  }

  @Test
  void version_always_namesVersionAndCommit() {
    Outcome outcome = Outcome.of("--version");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out()).matches("ferry \\S+ \\((\\w{12}(-dirty)?|unknown)\\)\\R");
  }

  @Test
  void ferry_noCommand_showsWhatThereIsAndExitsWith2() {
    Outcome outcome = Outcome.of();

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).isEqualTo(Outcome.of("--help").out()).contains("  get ", "  serve ");
  }

  @Test
  void help_ofACommand_isItsUsage() {
    assertThat(Outcome.of("help")).isEqualTo(Outcome.of("--help"));
    assertThat(Outcome.of("help", "get")).isEqualTo(Outcome.of("get", "--help"));
    assertThat(Outcome.of("HELP", "Get")).isEqualTo(Outcome.of("get", "--help"));
  }

  @Test
  void put_addressWithoutFile_saysThatTheFileComesFirst() {
    assertThat(Outcome.of("put", "ferry://127.0.0.1:1/a").err())
        .startsWith(
            "ferry put: ferry://127.0.0.1:1/a: is an address, and FILE is local; name the file"
                + " before it");
  }

  @Test
  void names_anyCase_areKnown() {
    assertThat(Outcome.of("Put", "--Carrier", "HTTP", "--GZIP", "no-such-file"))
        .isEqualTo(failure(3, "ferry put: no-such-file: no such file; name a file to send"));
  }

  @Test
  void help_everyCommand_printsItsUsage() {
    for (String command : Main.newCommandLine().getSubcommands().keySet()) {
      Outcome outcome = Outcome.of(command, "--help");

      assertThat(outcome.exitCode()).isZero();
      assertThat(outcome.out()).startsWith("Usage: ferry " + command);
    }
  }

  @Test
  void help_everyCommand_isAligned() {
    for (String command : Main.newCommandLine().getSubcommands().keySet()) {
      assertThat(Outcome.of("help", command).out())
          .as(command)
          .doesNotContainPattern("(?m)^( {10,})  \\S.*\\R\\1\\S")
          .doesNotContainPattern(".{81}");
    }
  }

  private static Outcome failure(int exitCode, String line) {
    return new Outcome(exitCode, "", line + System.lineSeparator());
  }

  @Test
  void argument_withAnAt_isAName(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("words"), "--version");
    Outcome outcome = Outcome.of("@" + file);
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("unknown command '@" + file + "'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sync '' ferry://host/a --delete",
        "sync ferry://host/a '' --delete",
        "check '' ferry://host/a",
        "put -r ''",
        "put a '' b",
        "get -r a ''",
        "get a ''",
        "serve ''",
        "doctor ''",
        "token add '' name all:/"
      })
  void path_thatIsEmpty_isNotTheCurrentFolder(String command) {
    assertRefusesEmpty(command.replace("''", "").split(" ", -1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"ls ''", "rm -r ''", "cat ''", "stat ''", "mkdir ''", "mv a ''", "put a ''"})
  void path_thatIsEmpty_isNotTheRoot(String command) {
    Outcome outcome = Outcome.of(command.replace("''", "").split(" ", -1));
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("'': is not a path (is a variable not set?); write '/' for");
  }

  @Test
  void options_forPaths_refuseAnEmptyText() {
    Main.newCommandLine().getSubcommands().forEach(UsageTest::assertOptionsRefuseEmpty);
  }

  private static void assertOptionsRefuseEmpty(String words, CommandLine command) {
    for (OptionSpec option : command.getCommandSpec().options()) {
      if (List.of(option.auxiliaryTypes()).contains(Path.class)) {
        assertRefusesEmpty((words + " " + option.longestName() + "=").split(" "));
      }
    }
    command
        .getSubcommands()
        .forEach((name, below) -> assertOptionsRefuseEmpty(words + " " + name, below));
  }

  private static void assertRefusesEmpty(String... command) {
    Outcome outcome = Outcome.of(command);
    assertThat(outcome.exitCode()).as(String.join(" ", command)).isEqualTo(2);
    assertThat(outcome.err())
        .contains("'': is not a path (is a variable not set?); write '.' for the current folder");
  }
}
