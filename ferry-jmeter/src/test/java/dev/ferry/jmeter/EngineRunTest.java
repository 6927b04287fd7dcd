package dev.ferry.jmeter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.load.EngineWorker;
import dev.ferry.load.Merge;
import dev.ferry.load.MergedReport;
import dev.ferry.load.Workload;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EngineRunTest {
  private static final Instant STARTED = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir Path folder;

  private final AtomicLong now = new AtomicLong();
  private final List<String> said = new ArrayList<>();

  private EngineRun run(String... hosts) {
    return new EngineRun(
        folder,
        new Workload.OfEngine("jmeter", 4, List.of(hosts)),
        TimeUnit.SECONDS.toNanos(10),
        now::get,
        said::add);
  }

  private static void second(EngineRun run, String host, int to, String... labels) {
    HistogramSample.Second second = new HistogramSample.Second(STARTED, to - 1, to, 3, 2, 0.5);
    for (int i = 0; i < labels.length; i++) {
      Histogram latencies = new Histogram(3);
      latencies.recordValueWithCount(TimeUnit.MILLISECONDS.toNanos(to), 10);
      run.received(
          host,
          new HistogramSample(
              second,
              new EngineWorker.Sampled(labels[i], latencies, 1_000, Map.of("NOT_FOUND", 1L)),
              i == labels.length - 1));
    }
  }

  private void pass(int seconds) {
    now.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  @Test
  void engineThatIsKilled_isNamed_andItsSecondsAreKept() throws Exception {
    EngineRun run = run("a:1", "b:1", "c:1");
    run.started("a:1");
    run.started("b:1");
    for (int to = 1; to <= 4; to++) {
      second(run, "a:1", to, "get", "put");
      pass(1);
    }
    second(run, "b:1", 1, "get");
    // It arrives again if its answer was lost.
    second(run, "b:1", 1, "get");
    second(run, "b:1", 2, "get");
    run.ended("a:1");

    pass(11);
    assertThat(run.check()).isEqualTo(EngineRun.State.RUNNING);
    assertThat(said)
        .containsExactly(
            "worker 2 of 3 (b:1) has been silent for 11 s; the 2.0 s that it measured are kept");
    pass(50);
    assertThat(run.check()).isEqualTo(EngineRun.State.LOST);
    assertThat(said.get(1)).isEqualTo("worker 3 of 3 (c:1) has not started for 65 s");
    assertThat(run.check()).isEqualTo(EngineRun.State.LOST);
    assertThat(said).hasSize(2);
    run.close();

    MergedReport merged = Merge.of(folder);
    assertThat(merged.complete()).isFalse();
    assertThat(merged.missing()).containsExactly(3);
    assertThat(merged.notes())
        .contains(
            "worker 3 of 3 (c:1) is missing: it has left no report; its part of the load is not in"
                + " the figures",
            "worker 2 of 3 (b:1) ended after 2.0 s of 4.0 s; what it measured until then is in the"
                + " figures");
    assertThat(merged.operations()).extracting(o -> o.operation()).containsExactly("get", "put");
    assertThat(merged.operations().get(0).latencies().getTotalCount()).isEqualTo(60);
    assertThat(merged.operations().get(0).errors()).containsExactly(Map.entry("NOT_FOUND", 6L));
    assertThat(merged.all().bytes()).isEqualTo(10_000);
  }

  @Test
  void engineThatIsHeardAgain_isWaitedFor() {
    EngineRun run = run("a:1");
    run.started("a:1");
    second(run, "a:1", 1, "get");
    pass(60);
    assertThat(run.check()).isEqualTo(EngineRun.State.RUNNING);
    pass(1);
    assertThat(run.check()).isEqualTo(EngineRun.State.LOST);

    second(run, "a:1", 12, "get");
    assertThat(run.check()).isEqualTo(EngineRun.State.RUNNING);
    assertThat(said.get(1)).isEqualTo("worker 1 of 1 (a:1) is back");
    run.ended("a:1");
    pass(100);
    assertThat(run.check()).isEqualTo(EngineRun.State.ENDED);
    run.close();
  }

  @Test
  void engineWhoseFirstThreadBeginsLate_isWaitedFor() {
    EngineRun run = run("a:1");
    run.started("a:1");
    pass(60);
    assertThat(run.check()).isEqualTo(EngineRun.State.RUNNING);
    assertThat(said).isEmpty();
    second(run, "a:1", 1, "get");
    pass(11);
    assertThat(run.check()).isEqualTo(EngineRun.State.RUNNING);
    assertThat(said).hasSize(1);
    run.close();
  }

  @Test
  void labelsThatAreEqual_areCountedTogether() throws Exception {
    EngineRun run = run("a:1");
    run.started("a:1");
    second(run, "a:1", 4, "get", "get");
    run.ended("a:1");
    run.close();
    MergedReport merged = Merge.of(folder);
    assertThat(merged.complete()).isTrue();
    assertThat(merged.operations().get(0).latencies().getTotalCount()).isEqualTo(20);
  }

  @Test
  void engineThatIsNotOfTheRun_isRefused() {
    assertThatThrownBy(() -> run("a:1", "b:1").started("c:1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("engines: c:1 is none of a:1,b:1");
  }
}
