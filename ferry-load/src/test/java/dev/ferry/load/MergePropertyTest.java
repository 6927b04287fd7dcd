package dev.ferry.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ferry.core.Generated;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class MergePropertyTest {
  private static final Instant STARTED = Instant.parse("2026-01-01T00:00:00Z");
  private static final double PRECISION = 1e-3;

  /** Writes the folder of a worker that measured these latencies, half of them in each second. */
  static void write(Path all, Plan plan, int worker, boolean complete, List<Long> nanos)
      throws IOException {
    try (WorkerFolder folder =
        WorkerFolder.create(
            WorkerFolder.ofWorker(all, worker), plan, new ObjectNode(JsonNodeFactory.instance))) {
      folder.begin(STARTED);
      Histogram until = new Histogram(LoadRecorder.DIGITS);
      for (int second = 0; second < 2; second++) {
        Histogram latencies = new Histogram(LoadRecorder.DIGITS);
        for (int i = second; i < nanos.size(); i += 2) {
          latencies.recordValue(nanos.get(i));
        }
        until.add(latencies);
        WorkerState state =
            new WorkerState(
                worker,
                complete && second == 1,
                STARTED,
                second + 1,
                second + 1,
                0,
                0,
                0,
                1,
                2,
                0.5,
                new ClockOffset(3 * worker, 1));
        OperationResult get =
            new OperationResult(
                "get", until.getTotalCount() + 1, 1, 1, 0, 0, Map.of("NOT_FOUND", 1L), until);
        OperationResult put =
            new OperationResult("put", 0, 0, 0, 0, 0, Map.of(), new Histogram(LoadRecorder.DIGITS));
        folder.add(
            second,
            second + 1,
            new LoadReport(plan, state, List.of(get, put), new Histogram(LoadRecorder.DIGITS)),
            new LoadRecorder.Second(
                List.of(latencies, new Histogram(LoadRecorder.DIGITS)),
                new Histogram(LoadRecorder.DIGITS)),
            0);
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void percentiles_ofFourWorkers_areThoseOfAllSamples() {
    Generated.check(
        30,
        input ->
            assertAreThoseOfAll(
                List.of(samples(input), samples(input), samples(input), samples(input))));
  }

  private static List<Long> samples(Generated input) {
    return input.list(1, 300, () -> input.between(1, 60_000_000_000L));
  }

  private static void assertAreThoseOfAll(List<List<Long>> samples) throws IOException {
    Plan plan = ArrivalsPropertyTest.plan(100, Plan.Spacing.CONSTANT, 1, 4);
    Path all = Files.createTempDirectory("merge");
    try {
      List<Long> raw = new ArrayList<>();
      for (int worker = 1; worker <= 4; worker++) {
        write(all, plan, worker, true, samples.get(worker - 1));
        raw.addAll(samples.get(worker - 1));
      }
      long[] sorted = raw.stream().mapToLong(Long::longValue).sorted().toArray();

      MergedReport merged = Merge.of(all);

      assertThat(merged.complete()).isTrue();
      assertThat(merged.all().latencies().getTotalCount()).isEqualTo(sorted.length);
      assertThat(merged.all().errors()).isEqualTo(Map.of("NOT_FOUND", 4L));
      for (double percentile : new double[] {50, 90, 99, 99.9, 100}) {
        int rank = Math.max(1, (int) Math.ceil(percentile / 100 * sorted.length));
        assertThat((double) merged.all().latencies().getValueAtPercentile(percentile))
            .as("p%s of %s", percentile, Arrays.toString(sorted))
            .isCloseTo(sorted[rank - 1], within(sorted[rank - 1] * PRECISION));
      }
    } finally {
      delete(all);
    }
  }
}
