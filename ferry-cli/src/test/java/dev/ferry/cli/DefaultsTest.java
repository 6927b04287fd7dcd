package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.client.CarrierChoice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Defaults of options from variables and the file of a user. */
final class DefaultsTest {
  @TempDir private Path home;

  private Outcome run(Map<String, String> variables, String... command) {
    Map<String, String> environment = new HashMap<>(variables);
    environment.put("HOME", home.toString());
    return Outcome.of(new Main(environment), command);
  }

  private Path keep(String... lines) throws Exception {
    Path file = home.resolve(".config/ferry/config");
    Files.createDirectories(file.getParent());
    return Files.writeString(file, String.join("\n", lines));
  }

  @Test
  void option_isThatOfTheCommandLineThenOfTheVariableThenOfTheFile() throws Exception {
    Path file = keep("# mine", "", "chunk-size = 1X", "put.chunk-size=2X");
    Map<String, String> variable = Map.of("FERRY_CHUNK_SIZE", "3X");
    assertThat(run(Map.of(), "get", "a").err()).contains("'1X' is not a size");
    assertThat(run(Map.of(), "put", "a").err()).contains("'2X' is not a size");
    assertThat(run(variable, "put", "a").err()).contains("'3X' is not a size");
    assertThat(run(variable, "get", "a", "--chunk-size=4X").err()).contains("'4X' is not a size");
    assertThat(run(Map.of("FERRY_CONFIG", ""), "config").out()).isEqualTo("# file: none\n");
    assertThat(run(variable, "config").out())
        .contains("# file: " + file + "\n", "put.chunk-size = 3X  # FERRY_CHUNK_SIZE\n");
    assertThat(run(Map.of(), "config", "put").out())
        .contains("put.chunk-size = 2X  # " + file + ":4\n", "# put.timeout  # or FERRY_TIMEOUT\n")
        .doesNotContain("--force");
  }

  @Test
  void flags_areSetAndNeverReversed() throws Exception {
    try (Servers servers = Servers.start(Files.createDirectory(home.resolve("root")))) {
      String server = servers.address(CarrierChoice.HTTP);
      Map<String, String> variables =
          Map.of("FERRY_SERVER", server, "FERRY_CARRIER", "http", "FERRY_JSON", "true");
      assertThat(run(variables, "mkdir", "a").out()).startsWith("{");
      assertThat(run(variables, "mkdir", "b", "--json").out()).startsWith("{");
      assertThat(run(variables, "ls").out()).startsWith("{");
      keep("json = true", "ls.json = false");
      Map<String, String> without = Map.of("FERRY_SERVER", server, "FERRY_CARRIER", "http");
      assertThat(run(without, "ls").out()).doesNotContain("{");
      assertThat(run(without, "mkdir", "c").out()).startsWith("{");
      String address = "http://" + server + "/files/";
      assertThat(run(Map.of("FERRY_SERVER", "elsewhere:1"), "ls", address).exitCode()).isZero();
      assertThat(run(Map.of("FERRY_CLIENT", "grpc"), "ls", address).exitCode()).isZero();
      assertThat(run(Map.of(), "ls", address, "--client=grpc").exitCode()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "chunksize=1, 'config:1: ''chunksize'' is not an option; did you mean ''chunk-size''?'",
    "put.chunksize=1, did you mean 'put.chunk-size'?",
    "force=true, config:1: --force cannot be kept; give it with each command",
    "get.token-file=x, --token-file cannot be kept",
    "sync.delete=true, --delete cannot be kept",
    "timeout, 'config:1: ''timeout'' is not NAME = VALUE'",
    "json=yes, 'config:1: ''yes'' is not a value for --json; give true or false'",
  })
  void file_withAWrongLine_isRefused(String line, String message) throws Exception {
    keep(line);
    Outcome outcome = run(Map.of(), "ls");
    assertThat(outcome.err()).contains(message);
    assertThat(outcome.exitCode()).isEqualTo(2);
  }

  @Test
  void file_givenTwiceOrMissing_isRefused() throws Exception {
    keep("timeout = 1s", "timeout = 2s");
    assertThat(run(Map.of(), "ls").err()).contains("config:2: timeout is set at", ":1 as well");
    Map<String, String> missing = Map.of("FERRY_CONFIG", home.resolve("missing").toString());
    assertThat(run(missing, "ls").err()).contains("FERRY_CONFIG: ", "missing: no such file");
    assertThat(run(missing, "--version").exitCode()).isZero();
    Main homeless = new Main(Map.of("HOME", "/dev/null"));
    assertThat(Outcome.of(homeless, "config").exitCode()).isZero();
  }

  @Test
  void variables_ofOptionsForOneCommandLine_meanNothing() {
    Map<String, String> variables = Map.of("FERRY_FORCE", "true", "FERRY_HELP", "true");
    assertThat(run(variables, "config").out()).doesNotContain("force", "help");
  }
}
