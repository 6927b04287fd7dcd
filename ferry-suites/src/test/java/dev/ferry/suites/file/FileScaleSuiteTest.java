package dev.ferry.suites.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Sha256;
import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.run.Profile;
import dev.ferry.lab.run.TaxiFile;
import dev.ferry.lab.suite.LoadDriver;
import dev.ferry.lab.suite.RowFilter;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.RunPlan;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Workplace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileScaleSuiteTest {
  private static final List<Suite> SUITES = List.of(new FileScaleSuite());
  private static final long GIB = 1L << 30;

  @Test
  void tables_eightChannels_onlyWhereThereIsSomethingForEach() throws Exception {
    RunPlan plan = RunPlan.of(SUITES, List.of(RowFilter.parse("table=concurrency-upload", SUITES)));

    assertThat(plan.groups())
        .extracting(g -> g.rows().get(0).setting())
        .containsExactly(
            "Transfers=1, Channels=1",
            "Transfers=4, Channels=1",
            "Transfers=16, Channels=1",
            "Transfers=64, Channels=1",
            "Transfers=16, Channels=8",
            "Transfers=64, Channels=8");
  }

  @Test
  void tables_allRows_haveNamesOfTheirOwnAndFitTheDisk() throws Exception {
    RunPlan plan = RunPlan.of(SUITES, List.of());
    List<RowKey> rows = plan.groups().stream().flatMap(g -> g.rows().stream()).toList();

    assertThat(rows).hasSize(72).extracting(RowKey::fileName).doesNotHaveDuplicates();
    assertThat(plan.loads()).allMatch(l -> l.bytes() <= 4 * GIB);
    assertThat(plan.loads().stream().mapToLong(Load::fileBytes).distinct().sum())
        .isLessThan(3 * GIB);
  }

  @Test
  void openClient_eightChannels_carryAllTransfers(@TempDir Path folder) throws Exception {
    Path store = Files.createDirectory(folder.resolve("store"));
    Path client = Files.createDirectory(folder.resolve("client"));
    Path source = Files.write(store.resolve("source"), new byte[1_000]);
    Workplace workplace = new Workplace(store, client, source, 1_000, Sha256.ofFile(source));
    RowKey row =
        new RowKey(
            "file-scale",
            "concurrency-download",
            "ZeroCopy",
            Map.of("Transfers", "16", "Channels", "8"));
    Suite suite = SUITES.get(0);
    try (RowServer server = suite.row(row).server().start(workplace);
        LoadDriver fixture =
            new LoadDriver(
                suite.row(row).client().start(workplace, server.port()),
                suite.row(row).work().load())) {
      fixture.prepare();

      fixture.run();
      assertThat(fixture.outcome().bytes()).isEqualTo(16_000);
      assertThat(client.toFile().list()).hasSize(16);
      fixture.check();
    }
  }

  @Test
  void load_small_isRepeated() throws Exception {
    List<Load> loads =
        RunPlan.of(SUITES, List.of(RowFilter.parse("table=sizes-upload", SUITES))).loads();

    assertThat(loads).extracting(Load::operations).containsExactly(32, 32, 4, 1, 1, 1);
    assertThat(loads).extracting(Load::fileBytes).endsWith(268_435_456L, 2_147_483_648L);
    assertThat(loads).allMatch(l -> l.atOnce() == 1);
  }

  @Test
  void load_large_getsFewerSamples() {
    Settings quick = Profile.QUICK.settings();

    assertThat(Load.files(25_060_966, 1, 4).of(quick)).isEqualTo(quick);
    assertThat(Load.files(25_060_966, 1, 16).of(quick).samplesPerRound()).isEqualTo(5);
    assertThat(Load.files(2 * GIB, 1, 1).of(quick).samplesPerRound()).isEqualTo(4);
    assertThat(Load.files(2 * GIB, 1, 1).of(Profile.SMOKE.settings()).samplesPerRound())
        .isEqualTo(1);
  }

  @Test
  void ceilingForks_everyLoad_hasTheSocketsOfBothDirectionsOnce() throws Exception {
    RunPlan plan = RunPlan.of(SUITES, List.of());

    assertThat(plan.ceilingForks())
        .extracting(fork -> fork.first().ceilingLoad())
        .containsExactlyElementsOf(plan.loads());
    assertThat(plan.ceilingForks())
        .allSatisfy(
            f ->
                assertThat(f.keys())
                    .extracting(CeilingName::of)
                    .containsExactly(CeilingName.SOCKET_DOWNLOAD, CeilingName.SOCKET_UPLOAD));
    assertThat(plan.ceilingForks().stream().flatMap(f -> f.keys().stream()))
        .extracting(RowKey::fileName)
        .contains(
            "ceiling-socket-upload-32-files-of-1024-bytes-in-turn",
            "ceiling-socket-upload-1-file-of-25060966-bytes",
            "ceiling-socket-upload-64-files-of-25060966-bytes-at-once")
        .doesNotHaveDuplicates();
  }

  @Test
  void estimate_quick_isAboutTwentyMinutes() throws Exception {
    assertThat(Profile.QUICK.estimate(RunPlan.of(SUITES, List.of()), TaxiFile.BYTES).toMinutes())
        .isBetween(18L, 21L);
  }
}
