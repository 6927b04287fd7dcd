package dev.ferry.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RowRun;
import dev.ferry.lab.model.Sample;
import dev.ferry.lab.model.Status;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RowsTest {
  @Test
  void of_rowAndBaseline_comparesThem() {
    List<Row> rows =
        Rows.of(List.of(run("Fast", Status.OK, 10, 20), run("Base", Status.OK, 30, 30)));

    assertThat(rows.get(0).mean()).isEqualTo(15);
    assertThat(rows.get(0).ratio()).isEqualTo(0.5);
    assertThat(rows.get(0).allocRatio()).isEqualTo(0.5);
    assertThat(rows.get(0).samples()).containsExactly(10.0, 20.0);
    assertThat(rows.get(1).ratio()).isEqualTo(1.0);
  }

  @Test
  void of_collections_areCountedPerThousandOperations() {
    Row row = Rows.of(List.of(run("Base", Status.OK, 1, 1, 1, 1))).get(0);

    assertThat(row.gen0()).isEqualTo(2_000);
    assertThat(row.gen1()).isEqualTo(0);
    assertThat(row.cpuMillis()).isCloseTo(2, within(1e-9));
    assertThat(row.directPeakBytes()).isEqualTo(100);
  }

  @Test
  void of_failedBaseline_leavesRowsWithoutRatio() {
    List<Row> rows =
        Rows.of(List.of(run("Fast", Status.OK, 10, 20), run("Base", Status.FAILED, 30)));

    assertThat(rows.get(0).mean()).isEqualTo(15);
    assertThat(rows.get(0).ratio()).isNull();
    assertThat(rows.get(0).allocRatio()).isNull();
    assertThat(rows.get(1).mean()).isNull();
    assertThat(rows.get(1).digestChecked()).isFalse();
    assertThat(rows.get(1).samples()).containsExactly(30.0);
  }

  @Test
  void of_oneSample_hasNoError() {
    Row row = Rows.of(List.of(run("Base", Status.OK, 7))).get(0);

    assertThat(row.n()).isEqualTo(1);
    assertThat(row.error()).isNull();
    assertThat(row.ratioStdDev()).isNull();
    assertThat(row.ratio()).isEqualTo(1.0);
  }

  private static RowRun run(String method, Status status, long... millis) {
    @Nullable String reason = status == Status.OK ? null : "it broke";
    return new RowRun(
        new RowKey("suite", "table", method, Map.of("BufferSize", "4096")),
        "Base",
        status,
        reason,
        "none",
        1,
        List.of(),
        LongStream.of(millis).mapToObj(RowsTest::sample).toList());
  }

  private static Sample sample(long millis) {
    return new Sample(
        0,
        millis * 1_000_000,
        millis * 1_024,
        millis * 2_000_000,
        2L,
        0L,
        100L,
        50,
        50,
        "h2c",
        "identity");
  }
}
