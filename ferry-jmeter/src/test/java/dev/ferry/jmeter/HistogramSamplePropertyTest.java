package dev.ferry.jmeter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ferry.core.Generated;
import dev.ferry.load.EngineWorker;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.jmeter.samplers.SampleResult;
import org.junit.jupiter.api.Test;

final class HistogramSamplePropertyTest {
  private static final double PRECISION = 1e-3;
  private static final int NANOS_PER_MILLI = 1_000_000;

  private static SampleResult sample(int millis) {
    // Milliseconds decide the rest, too.
    SampleResult sample = SampleResult.createTestSample(millis);
    sample.setSampleLabel((millis % 2 == 0 ? "label " : "label, ") + millis % 3);
    sample.setSuccessful(millis % 5 != 0);
    sample.setResponseCode(millis % 10 == 0 ? "NOT_FOUND" : "");
    sample.setSentBytes(millis);
    return sample;
  }

  @Test
  void samples_thatWereSentAsHistograms_areAllThere() {
    Generated.check(
        50, input -> assertAreAllThere(input.list(1, 300, () -> input.between(1, 100_000))));
  }

  private static void assertAreAllThere(List<Integer> millis) throws Exception {
    SecondRecorder recorder = new SecondRecorder();
    millis.forEach(time -> recorder.add(sample(time)));
    HistogramSample.Second second = new HistogramSample.Second(null, 0, 1, 2, 2, 0.5);

    Map<String, EngineWorker.Sampled> received = new TreeMap<>();
    for (EngineWorker.Sampled sampled : recorder.take()) {
      HistogramSample sent = copied(new HistogramSample(second, sampled, true));
      assertThat(sent.second()).isEqualTo(second);
      received.put(sent.sampled().operation(), sent.sampled());
    }

    Map<String, List<Integer>> labels =
        millis.stream().collect(Collectors.groupingBy(time -> "label-" + time % 3));
    assertThat(received.keySet()).isEqualTo(labels.keySet());
    received.forEach(
        (label, sampled) -> assertSame(sampled, labels.getOrDefault(label, List.of())));
    assertThat(recorder.take()).isEmpty();
  }

  @Test
  void labels_thatTheLogDoesNotAllow_getNames() {
    SecondRecorder recorder = new SecondRecorder();
    for (String label : List.of("", "start-lag", "a,b", "a b")) {
      SampleResult sample = sample(1);
      sample.setSampleLabel(label);
      recorder.add(sample);
    }
    assertThat(recorder.take())
        .extracting(EngineWorker.Sampled::operation)
        .containsExactly("()", "(start-lag)", "a-b");
  }

  private static void assertSame(EngineWorker.Sampled sampled, List<Integer> all) {
    List<Integer> times = all.stream().filter(time -> time % 5 != 0).sorted().toList();
    assertThat(sampled.latencies().getTotalCount()).isEqualTo(times.size());
    assertThat(sampled.bytes()).isEqualTo(times.stream().mapToLong(time -> time).sum());
    assertThat(sampled.errors())
        .isEqualTo(
            all.stream()
                .filter(time -> time % 5 == 0)
                .collect(
                    Collectors.groupingBy(
                        time -> time % 10 == 0 ? "NOT_FOUND" : "FAILED", Collectors.counting())));
    if (!times.isEmpty()) {
      double median = (double) times.get((times.size() - 1) / 2) * NANOS_PER_MILLI;
      assertThat((double) sampled.latencies().getValueAtPercentile(50))
          .isCloseTo(median, within(median * PRECISION));
    }
  }

  private static HistogramSample copied(HistogramSample sample)
      throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(sample);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (HistogramSample) in.readObject();
    }
  }
}
