package dev.ferry.suites.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Sha256;
import dev.ferry.core.TcpProxy;
import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.run.Profile;
import dev.ferry.lab.suite.LoadDriver;
import dev.ferry.lab.suite.RowFilter;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.RunPlan;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.TableSettings;
import dev.ferry.lab.suite.Workplace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is special about the suite; {@link EveryRowTest} runs its rows. */
final class DistanceSuiteTest {
  private static final List<Suite> SUITES = List.of(new DistanceSuite());

  @Test
  void tables_largeFiles_areOnRequest() throws Exception {
    RunPlan main = RunPlan.of(SUITES, List.of());
    RunPlan large =
        RunPlan.ofTables(SUITES, List.of("large-upload"), List.of(), TableSettings.NONE);

    assertThat(main.size()).isEqualTo(78);
    assertThat(main.loads())
        .extracting(Load::fileBytes)
        .containsExactly(65_536L, 1L << 20, 25L << 20);
    assertThat(large.size()).isEqualTo(13);
    assertThat(large.loads()).extracting(Load::fileBytes).containsExactly(256L << 20);
  }

  @Test
  void ceilingForks_newConnections_areSocketsThatConnect() throws Exception {
    RunPlan plan = RunPlan.of(SUITES, List.of(RowFilter.parse("Connection=new", SUITES)));

    assertThat(plan.ceilingForks(true))
        .hasSize(3)
        .extracting(fork -> fork.keys().stream().map(CeilingName::of).toList())
        .containsOnly(List.of(CeilingName.SOCKET_DOWNLOAD_NEW, CeilingName.SOCKET_UPLOAD_NEW));
    assertThat(plan.ceilingForks(false)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"kept, 0", "new, 10"})
  void settings_newConnections_areFewInTheWarmUp(String connection, int most) {
    RowKey row =
        new RowKey(
            "distance",
            "download",
            "HttpClient",
            Map.of("FileSize", "65536", "Connection", connection));

    assertThat(
            SUITES
                .get(0)
                .row(row)
                .work()
                .settings()
                .apply(Profile.FULL.settings())
                .maxWarmupOperations())
        .isEqualTo(most);
  }

  @ParameterizedTest
  @CsvSource({"kept, 1", "new, 3"})
  void openClient_threeSamples_haveTheirConnections(
      String connection, int connections, @TempDir Path folder) throws Exception {
    Path store = Files.createDirectory(folder.resolve("store"));
    Path client = Files.createDirectory(folder.resolve("client"));
    Path source = Files.write(store.resolve("source"), new byte[1_000]);
    Workplace workplace = new Workplace(store, client, source, 1_000, Sha256.ofFile(source));
    RowKey row =
        new RowKey(
            "distance",
            "download",
            "ZeroCopy",
            Map.of("FileSize", "65536", "Connection", connection));
    Suite suite = SUITES.get(0);
    try (RowServer server = suite.row(row).server().start(workplace);
        TcpProxy proxy = new TcpProxy(server.port());
        LoadDriver driver =
            new LoadDriver(
                suite.row(row).client().start(workplace, proxy.port()),
                suite.row(row).work().load())) {
      for (int i = 0; i < 3; i++) {
        driver.prepare();
        driver.run();
        driver.check();
      }

      assertThat(proxy.connections()).isEqualTo(connections);
    }
  }
}
