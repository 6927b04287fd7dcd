package dev.ferry.jmeter;

import dev.ferry.load.EngineWorker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.apache.jmeter.samplers.SampleResult;

/**
 * Counts the samples of an engine by their label. Thread-safe; one thread calls {@link #take}. A
 * sample that ends meanwhile is in this second or in the next.
 */
final class SecondRecorder {
  /** The label of all samples beyond the first {@link #MOST_LABELS} labels. */
  static final String OTHERS = "others";

  /** Labels that differ for each sample must not fill the memory. */
  static final int MOST_LABELS = 200;

  /** Significant decimal digits of a time. */
  private static final int DIGITS = 3;

  private final Map<String, Label> labels = new ConcurrentHashMap<>();

  /** What is counted of a label. */
  private static final class Label {
    final Recorder latencies = new Recorder(DIGITS);
    final LongAdder bytes = new LongAdder();
    final Map<String, LongAdder> errors = new ConcurrentHashMap<>();
  }

  void add(SampleResult sample) {
    Label label = label(EngineWorker.nameOf(sample.getSampleLabel()));
    if (sample.isSuccessful()) {
      label.latencies.recordValue(FerrySample.nanosOf(sample));
      label.bytes.add(sample.getBytesAsLong() + sample.getSentBytes());
    } else {
      String code = String.valueOf(sample.getResponseCode());
      label
          .errors
          .computeIfAbsent(code.isBlank() ? "FAILED" : code, kind -> new LongAdder())
          .increment();
    }
  }

  private Label label(String name) {
    Label known = labels.get(name);
    if (known != null) {
      return known;
    }
    String key = labels.size() < MOST_LABELS ? name : OTHERS;
    return labels.computeIfAbsent(key, unused -> new Label());
  }

  /** Returns what was counted since the last call, without labels that had no sample. */
  List<EngineWorker.Sampled> take() {
    List<EngineWorker.Sampled> taken = new ArrayList<>();
    new TreeMap<>(labels)
        .forEach(
            (name, label) -> {
              Histogram latencies = label.latencies.getIntervalHistogram();
              Map<String, Long> errors = new TreeMap<>();
              label.errors.forEach(
                  (kind, count) -> {
                    long sum = count.sumThenReset();
                    if (sum > 0) {
                      errors.put(kind, sum);
                    }
                  });
              if (latencies.getTotalCount() > 0 || !errors.isEmpty()) {
                taken.add(
                    new EngineWorker.Sampled(name, latencies, label.bytes.sumThenReset(), errors));
              }
            });
    return taken;
  }
}
