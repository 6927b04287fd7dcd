package dev.ferry.lab.stats;

import dev.ferry.lab.model.HistogramText;
import dev.ferry.lab.model.Latency;
import dev.ferry.lab.model.Sample;
import dev.ferry.lab.model.Unit;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Sums up how long single operations took. */
final class Latencies {
  /** Significant digits; those of the samples' histograms. */
  private static final int DIGITS = 3;

  private Latencies() {}

  /** Of all samples together; null where a sample does not tell. */
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
