package dev.ferry.lab.stats;

import dev.ferry.lab.model.HistogramText;
import dev.ferry.lab.model.Latency;
import dev.ferry.lab.model.Sample;
import dev.ferry.lab.model.Unit;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Summarizes the durations of single operations. */
final class Latencies {
  /** The number of significant digits. The histograms in samples have the same number. */
  private static final int DIGITS = 3;

  private Latencies() {}

  /** Merges all samples; null if a sample has no histogram. */
  static @Nullable Latency of(List<Sample> samples) {
    Histogram all = new Histogram(DIGITS);
    for (Sample sample : samples) {
      String latencies = sample.latencies();
      if (latencies == null) {
        return null;
      }
      all.add(HistogramText.decode(latencies));
    }
    return new Latency(
        all.getTotalCount(),
        percentile(all, 50),
        percentile(all, 90),
        percentile(all, 99),
        percentile(all, 99.9),
        all.getMaxValue() / Unit.MICROS.nanos());
  }

  private static double percentile(Histogram histogram, double percentile) {
    return histogram.getValueAtPercentile(percentile) / Unit.MICROS.nanos();
  }
}
