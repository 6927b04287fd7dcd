package dev.ferry.lab.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.run.Profile;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FileScaleSuiteTest {
  private static final List<Suite> SUITES = List.of(new FileScaleSuite());
  private static final long GIB = 1L << 30;

  @Test
  void tables_eightChannels_onlyWhereThereIsSomethingForEach() throws Exception {
    Plan plan = Plan.of(SUITES, List.of(RowFilter.parse("table=concurrency-upload", SUITES)));

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
    Plan plan = Plan.of(SUITES, List.of());
    List<RowKey> rows = plan.groups().stream().flatMap(g -> g.rows().stream()).toList();

    assertThat(rows).hasSize(72).extracting(RowKey::fileName).doesNotHaveDuplicates();
    assertThat(plan.loads()).allMatch(l -> l.bytes() <= 4 * GIB);
    assertThat(plan.loads().stream().mapToLong(Load::fileBytes).distinct().sum())
        .isLessThan(3 * GIB);
  }

  @Test
  void load_small_isRepeated() throws Exception {
    List<Load> loads =
        Plan.of(SUITES, List.of(RowFilter.parse("table=sizes-upload", SUITES))).loads();

    assertThat(loads).extracting(Load::inTurn).containsExactly(32, 32, 4, 1, 1, 1);
    assertThat(loads).extracting(Load::fileBytes).endsWith(268_435_456L, 2_147_483_648L);
    assertThat(loads).allMatch(l -> l.atOnce() == 1);
  }

  @Test
  void load_large_getsFewerSamples() {
    Settings quick = Profile.QUICK.settings();

    assertThat(new Load(25_060_966, 1, 4).of(quick)).isEqualTo(quick);
    assertThat(new Load(25_060_966, 1, 16).of(quick).samplesPerRound()).isEqualTo(5);
    assertThat(new Load(2 * GIB, 1, 1).of(quick).samplesPerRound()).isEqualTo(4);
    assertThat(new Load(2 * GIB, 1, 1).of(Profile.SMOKE.settings()).samplesPerRound()).isEqualTo(1);
  }

  @Test
  void estimate_quick_staysUnderTwentyMinutes() throws Exception {
    assertThat(Profile.QUICK.estimate(Plan.of(SUITES, List.of())).toMinutes()).isLessThan(20);
  }
}
