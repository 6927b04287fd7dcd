package dev.ferry.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ferry.core.Round;
import dev.ferry.core.Sha256;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.LoadDriver;
import dev.ferry.lab.suite.Parameter;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Table;
import dev.ferry.lab.suite.Workplace;
import dev.ferry.suites.commands.CommandsSuite;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Rows of whole commands once, with the commands of this build: each operation and each kind of
 * connection with a program of Ferry and with another, and each program. A thorough run has all.
 */
final class CommandRowsTest {
  private static final Suite SUITE = new CommandsSuite();
  private static final Map<String, String> SMALL =
      Map.of("Files", "3", "FileSize", "1000", "Network", "rtt=1ms,rate=1gbit");

  @TempDir Path folder;

  /** A script in the place of the one that users call, which would build what is tested here. */
  @BeforeAll
  static void writeScript() throws Exception {
    Path script = Path.of(System.getenv("FERRY_COMMAND"));
    Files.writeString(
        script,
        "#!/bin/sh\nexec '%s/bin/java' -XX:TieredStopAtLevel=1 -cp '%s' dev.ferry.cli.Main \"$@\"\n"
            .formatted(System.getProperty("java.home"), System.getProperty("java.class.path")));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  static Stream<RowKey> rows() {
    return Round.some(
        SUITE.tables().stream()
            .flatMap(
                table ->
                    table.methods().stream()
                        .map(
                            method -> new RowKey(SUITE.name(), table.name(), method, small(table))))
            .toList(),
        CommandRowsTest::options);
  }

  private static List<?> options(RowKey row) {
    String operation = row.table().replaceFirst("-(tls|far)$", "");
    String connection = row.table().substring(operation.length());
    boolean ferry = row.method().startsWith("Ferry");
    return List.of(List.of(operation, ferry), List.of(connection, ferry), row.method());
  }

  private static Map<String, String> small(Table table) {
    return table.parameters().stream()
        .map(Parameter::name)
        .collect(Collectors.toMap(Function.identity(), SMALL::get));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void command_ofARow_leavesTheFilesOfTheOtherEnd(RowKey key) throws Exception {
    RowSpec row = SUITE.row(key);
    String obstacle = row.needs().obstacle().get().orElse("");
    assumeTrue(obstacle.isEmpty(), obstacle);
    Path store = Files.createDirectory(folder.resolve("store"));
    Path client = Files.createDirectory(folder.resolve("client"));
    Path source = Files.writeString(store.resolve("source"), "a line of text\n");
    Workplace workplace =
        new Workplace(store, client, source, Files.size(source), Sha256.ofFile(source));

    try (RowServer server = row.server().start(workplace);
        LoadDriver driver =
            new LoadDriver(row.client().start(workplace, server.port()), row.work().load())) {
      driver.prepare();
      driver.run();
      driver.check();
      assertThat(driver.outcome().protocol()).isEqualTo(row.promise().protocol());
    }
    assertThat(store).isDirectoryContaining(source::equals);
  }
}
