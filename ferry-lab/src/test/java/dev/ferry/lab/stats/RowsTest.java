package dev.ferry.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ferry.lab.model.Ceiling;
import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Interval;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.ProcessUse;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RowRun;
import dev.ferry.lab.model.Sample;
import dev.ferry.lab.model.Sample.Usage;
import dev.ferry.lab.model.Status;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RowsTest {
  @Test
  void of_rowAndBaseline_comparesThem() {
    List<Row> rows = rows(run("Fast", Status.OK, 10, 20), run("Base", Status.OK, 30, 30));

    assertThat(rows.get(0).time().mean()).isEqualTo(15);
    assertThat(rows.get(0).time().ratio()).isCloseTo(0.5, within(1e-9));
    assertThat(rows.get(0).memory().allocRatio()).isEqualTo(0.5);
    assertThat(rows.get(0).time().samples()).containsExactly(10.0, 20.0);
    assertThat(rows.get(1).time().ratio()).isEqualTo(1.0);
  }

  @Test
  void of_forksOfWhichOneHasASlowSample_hasTheRatioOfTheirMedians() {
    List<Row> rows =
        rows(
            run("Fast", sample(0, 10), sample(0, 10), sample(0, 100), sample(1, 10)),
            run("Base", sample(0, 20), sample(1, 20)));

    assertThat(rows.get(0).time().ratio()).isCloseTo(0.5, within(1e-9));
    assertThat(rows.get(0).typicalTime()).isCloseTo(10, within(1e-9));
  }

  @Test
  void interval_threeForks_isStudentsOfTheirLogarithms() {
    RowKey key = new RowKey("suite", "table", "Row", Map.of());
    double factor = Math.exp(0.1);

    Interval interval =
        Objects.requireNonNull(
            Rows.interval(ForkRows.of(key, null, Codec.NONE, 100, 100 * factor, 100 / factor)));

    // 4.303 is t(0.975, 2).
    assertThat(interval.value()).isCloseTo(100, within(1e-3));
    assertThat(interval.high()).isCloseTo(100 * Math.exp(4.303 * 0.1 / Math.sqrt(3)), within(0.01));
    assertThat(interval.low()).isCloseTo(1e4 / interval.high(), within(1e-3));
    assertThat(Rows.interval(ForkRows.of(key, null, Codec.NONE, 100, 110))).isNull();
  }

  private static Sample sample(int round, long millis) {
    return ForkRows.sample(round, millis * 1_000_000, 1, new Usage(1, 1, 1, 1, 1, 1, -1));
  }

  @Test
  void of_collections_areCountedPerThousandOperations() {
    Row row = rows(run("Base", Status.OK, 1, 1, 1, 1)).get(0);

    assertThat(row.memory().gen0()).isEqualTo(2_000);
    assertThat(row.memory().gen1()).isEqualTo(0);
    assertThat(row.cpu().millis()).isCloseTo(2, within(1e-9));
    assertThat(row.memory().directPeakBytes()).isEqualTo(100);
  }

  @Test
  void of_twoProcesses_keepsTheSidesApart() {
    Sample first =
        ForkRows.sample(
            0, 1, 1, new Usage(10, 2_000_000, 1, 0, 4, 5, 1), new Usage(1, 0, 0, 1, 6, 7, 1));
    Sample next =
        ForkRows.sample(0, 1, 1, new Usage(30, 0, 0, 0, 3, 9, 1), new Usage(1, 0, 0, 0, 8, 2, 1));
    Row row = rows(run("Base", first, next)).get(0);

    assertThat(row.client()).isEqualTo(new ProcessUse(20, 1, 500, 0, 4, 9));
    assertThat(row.server()).isEqualTo(new ProcessUse(1, 0, 0, 500, 8, 7));
  }

  @Test
  void of_anotherLevelThanTheBaselines_hasNoRatio() {
    RowRun base = compressed("Base", new Codec("java.util.zip", 1), 10);
    RowRun sameLevel = compressed("Same", new Codec("Intel GKL 0.9.1", 1), 20);
    RowRun harder = compressed("Harder", new Codec("java.util.zip", 6), 40);

    List<Row> rows = rows(base, sameLevel, harder);

    assertThat(rows.get(0).time().ratio()).isEqualTo(1.0);
    assertThat(rows.get(1).time().ratio()).isCloseTo(2.0, within(1e-9));
    assertThat(rows.get(2).time().ratio()).isNull();
    assertThat(rows.get(2).memory().allocRatio()).isNull();
    assertThat(rows.get(2).time().mean()).isEqualTo(40);
  }

  private static RowRun compressed(String method, Codec codec, long millis) {
    return run(method, null, codec, null, samples(millis));
  }

  @Test
  void of_transfersInTurn_givesFiguresOfOne() {
    Row row = rows(withLoad(Load.files(50, 4, 1), 8, 12)).get(0);

    assertThat(row.time().samples()).containsExactly(2.0, 3.0);
    assertThat(row.time().mean()).isEqualTo(2.5);
    assertThat(row.memory().allocatedBytes()).isEqualTo(10 * 1_024 / 4.0);
    assertThat(row.cpu().millis()).isEqualTo(5);
    assertThat(row.memory().gen0()).isEqualTo(500);
    assertThat(row.work().bytes()).isEqualTo(50);
    assertThat(row.memory().heapPeakBytes()).isEqualTo(10);
    assertThat(row.nanosPerByte()).isEqualTo(50_000);
    assertThat(row.mebibytesPerSecond()).isCloseTo(50 / 0.0025 / (1 << 20), within(1e-9));
    assertThat(row.perGib(row.cpu().millis())).isEqualTo(5.0 * (1 << 30) / 50);
  }

  @Test
  void of_oneProcess_hasNoSides() {
    Row row = rows(run("Base", Status.OK, 7)).get(0);

    assertThat(row.client()).isNull();
    assertThat(row.server()).isNull();
  }

  @Test
  void of_failedBaseline_leavesRowsWithoutRatio() {
    List<Row> rows = rows(run("Fast", Status.OK, 10, 20), run("Base", Status.FAILED, 30));

    assertThat(rows.get(0).time().mean()).isEqualTo(15);
    assertThat(rows.get(0).time().ratio()).isNull();
    assertThat(rows.get(0).memory().allocRatio()).isNull();
    assertThat(rows.get(1).time().mean()).isNull();
    assertThat(rows.get(1).work().digestChecked()).isFalse();
    assertThat(rows.get(1).time().samples()).containsExactly(30.0);
  }

  @Test
  void of_oneSample_hasNoError() {
    Row row = rows(run("Base", Status.OK, 7)).get(0);

    assertThat(row.time().n()).isEqualTo(1);
    assertThat(row.time().error()).isNull();
    assertThat(row.time().ratioStdDev()).isNull();
    assertThat(row.time().ratio()).isEqualTo(1.0);
  }

  @Test
  void of_severalCeilings_takesTheOneOfTheLeastMedian() {
    List<Ceiling> ceilings =
        Ceilings.of(
            List.of(
                ceiling(CeilingName.SOCKET_DOWNLOAD, Status.OK, 1, 5, 9),
                ceiling(CeilingName.FILE_WRITE, Status.OK, 4, 4, 100),
                ceiling(CeilingName.FILE_READ, Status.OK, 1)));
    Row row = Rows.of(List.of(run("Base", Status.OK, 6, 10, 50)), ceilings).get(0);

    assertThat(row.bound().ceiling()).isEqualTo("file-write");
    assertThat(row.bound().times()).isEqualTo(2.5);
  }

  @Test
  void of_ceilingFailed_takesTheOther() {
    List<Ceiling> ceilings =
        Ceilings.of(
            List.of(
                ceiling(CeilingName.SOCKET_DOWNLOAD, Status.OK, 5),
                ceiling(CeilingName.FILE_WRITE, Status.FAILED, 1)));

    assertThat(ceilings.get(1).median()).isNull();
    assertThat(Rows.of(List.of(run("Base", Status.OK, 6)), ceilings).get(0))
        .extracting(r -> r.bound().ceiling(), r -> r.bound().times())
        .containsExactly("socket-download", 1.2);
  }

  @Test
  void of_ceilingOfAnotherLoad_boundsNothing() {
    List<Ceiling> ceilings =
        Ceilings.of(
            List.of(
                ceiling(CeilingName.SOCKET_DOWNLOAD, Load.files(50, 1, 1), 1),
                ceiling(CeilingName.SOCKET_DOWNLOAD, Load.files(50, 4, 1), 1)));

    assertThat(Rows.of(List.of(run("Base", Status.OK, 6)), ceilings).get(0))
        .extracting(r -> r.bound().ceiling(), r -> r.bound().times())
        .containsExactly(null, null);
  }

  @Test
  void of_severalLoads_takesTheCeilingOfTheRowsOwn() {
    Load inTurn = Load.files(50, 4, 1);
    Load atOnce = Load.files(50, 1, 4);
    List<Ceiling> ceilings =
        Ceilings.of(
            List.of(
                ceiling(CeilingName.SOCKET_DOWNLOAD, Status.OK, 1),
                ceiling(CeilingName.SOCKET_DOWNLOAD, inTurn, 20),
                ceiling(CeilingName.FILE_WRITE, inTurn, 16),
                ceiling(CeilingName.SOCKET_DOWNLOAD, atOnce, 10)));

    // Each of four in turn is an operation, four at once are one.
    assertThat(ceilings.get(2).samples()).containsExactly(4.0);
    assertThat(ceilings.get(2).load()).isEqualTo(inTurn);
    assertThat(ceilings.get(3).median()).isEqualTo(10);
    assertThat(Rows.of(List.of(withLoad(inTurn, 40)), ceilings).get(0))
        .extracting(r -> r.bound().ceiling(), r -> r.bound().times())
        .containsExactly("file-write", 2.5);
    assertThat(Rows.of(List.of(withLoad(atOnce, 40)), ceilings).get(0))
        .extracting(r -> r.bound().ceiling(), r -> r.bound().times())
        .containsExactly("socket-download", 4.0);
  }

  @Test
  void of_noCeiling_leavesRowsWithoutOne() {
    assertThat(rows(run("Base", Status.OK, 6)).get(0).bound().ceiling()).isNull();
    assertThat(rows(run("Base", Status.FAILED, 6)).get(0).bound().times()).isNull();
  }

  private static List<Row> rows(RowRun... runs) {
    return Rows.of(List.of(runs), List.of());
  }

  private static RowRun ceiling(CeilingName name, Load load, long... millis) {
    return ForkRows.ceiling(
        name, load, Status.OK, null, ceiling(name, Status.OK, millis).samples());
  }

  private static RowRun withLoad(Load load, long... millis) {
    return run("Base", null, Codec.NONE, load, samples(millis));
  }

  private static RowRun ceiling(CeilingName name, Status status, long... millis) {
    return ForkRows.ceiling(
        name, null, status, status == Status.OK ? null : "it broke", samples(millis));
  }

  private static RowRun run(String method, Status status, long... millis) {
    String failure = status == Status.OK ? null : "it broke";
    return run(method, failure, Codec.NONE, null, samples(millis));
  }

  private static RowRun run(String method, Sample... samples) {
    return run(method, null, Codec.NONE, null, List.of(samples));
  }

  private static RowRun run(
      String method,
      @Nullable String failure,
      Codec codec,
      @Nullable Load load,
      List<Sample> samples) {
    return ForkRows.run(
        new RowKey("suite", "table", method, Map.of("BufferSize", "4096")),
        "Base",
        failure,
        codec,
        load,
        List.of(CeilingName.SOCKET_DOWNLOAD, CeilingName.FILE_WRITE),
        samples);
  }

  private static List<Sample> samples(long... millis) {
    return LongStream.of(millis).mapToObj(RowsTest::sample).toList();
  }

  private static Sample sample(long millis) {
    Usage use = new Usage(millis * 1_024, millis * 2_000_000, 2, 0, 10, 100, 6);
    return ForkRows.sample(0, millis * 1_000_000, 50, use);
  }
}
