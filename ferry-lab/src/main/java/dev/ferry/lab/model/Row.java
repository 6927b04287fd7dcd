package dev.ferry.lab.model;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A row of a run document; figures are null where there are too few samples for them, or where
 * other programs than the JVM did the work.
 *
 * @param suite the suite's name
 * @param table the table's name
 * @param method the method's name
 * @param parameters values by name, in the order of the columns
 * @param baseline the method that ratios refer to
 * @param status what became of the row
 * @param reason why it failed or was skipped
 * @param unit of mean, error, stdDev, median, min, max and samples: {@code ms} or {@code us}
 * @param n number of samples
 * @param mean arithmetic mean
 * @param error half of the 99.9 % interval of the mean (Student's t over all samples)
 * @param stdDev standard deviation of the samples (n - 1)
 * @param median middle sample
 * @param min least sample
 * @param max greatest sample
 * @param ratio mean divided by the baseline's mean
 * @param ratioStdDev ratio times the root of the two squared coefficients of variation
 * @param gen0 young collections per 1,000 operations
 * @param gen1 old collections per 1,000 operations
 * @param allocatedBytes mean heap allocated per operation, both ends
 * @param allocRatio allocatedBytes divided by the baseline's
 * @param cpuMillis mean CPU time per operation, both ends
 * @param directPeakBytes most direct memory seen in use in any sample; the sum of two processes'
 *     peaks
 * @param ceiling name of the ceiling that bounds the row: the fastest, by median, of those that
 *     apply to it and were measured with its load
 * @param timesCeiling median divided by that ceiling's median
 * @param processes how many processes shared the work
 * @param flags of its JVM beside those that all have
 * @param protocol as negotiated
 * @param encoding as negotiated
 * @param codec which library encodes
 * @param bytes unencoded bytes per operation
 * @param wireBytes mean encoded bytes per operation, without the transport's headers
 * @param digestChecked whether size and SHA-256 of the result were compared after every sample
 * @param samples every sample, in the order they were measured; the mean of its operations where it
 *     has several
 * @param client what the client used; null where both ends share a process
 * @param server what the server used; null where both ends share a process
 * @param heapPeakBytes most heap seen in use in any sample, garbage included
 * @param load what a sample does; null for the run's own file, once
 * @param switches mean number of times an operation's threads gave up the processor to wait, both
 *     ends; null where the system does not tell
 * @param latency how long single operations took; null where they were not timed
 * @param parts means of what else is told of an operation
 */
public record Row(
    String suite,
    String table,
    String method,
    Map<String, String> parameters,
    @Nullable String baseline,
    Status status,
    @Nullable String reason,
    String unit,
    int n,
    @Nullable Double mean,
    @Nullable Double error,
    @Nullable Double stdDev,
    @Nullable Double median,
    @Nullable Double min,
    @Nullable Double max,
    @Nullable Double ratio,
    @Nullable Double ratioStdDev,
    @Nullable Double gen0,
    @Nullable Double gen1,
    @Nullable Double allocatedBytes,
    @Nullable Double allocRatio,
    @Nullable Double cpuMillis,
    @Nullable Long directPeakBytes,
    @Nullable String ceiling,
    @Nullable Double timesCeiling,
    int processes,
    List<String> flags,
    @Nullable String protocol,
    @Nullable String encoding,
    String codec,
    @Nullable Long bytes,
    @Nullable Double wireBytes,
    boolean digestChecked,
    List<Double> samples,
    @Nullable Side client,
    @Nullable Side server,
    @Nullable Long heapPeakBytes,
    @Nullable Load load,
    @Nullable Double switches,
    @Nullable Latency latency,
    List<Part> parts) {
  public Row {
    // Runs of older versions have none.
    flags = List.copyOf(Objects.requireNonNullElse(flags, List.of()));
    parts = List.copyOf(Objects.requireNonNullElse(parts, List.of()));
  }

  /** The row's name. */
  public RowKey key() {
    return new RowKey(suite, table, method, parameters);
  }

  /** Whether the row is the one its rivals are compared with. */
  public boolean isBaseline() {
    return method.equals(baseline);
  }

  /** Unencoded bytes per second of the mean, in 1,048,576; null without figures. */
  public @Nullable Double mebibytesPerSecond() {
    Double nanos = nanosPerByte();
    return nanos == null || nanos == 0 ? null : (Double) (1e9 / nanos / (1 << 20));
  }

  /** The mean, in nanoseconds per unencoded byte; null without figures. */
  public @Nullable Double nanosPerByte() {
    return mean == null || bytes == null || bytes == 0
        ? null
        : (Double) (mean * Unit.of(unit).nanos() / bytes);
  }

  /** A figure per operation as one per gibibyte of unencoded bytes; null without figures. */
  public @Nullable Double perGib(@Nullable Double figure) {
    return figure == null || bytes == null || bytes == 0
        ? null
        : (Double) (figure * (1 << 30) / bytes);
  }

  /** Whether it ran and has figures. */
  public boolean measured() {
    return status == Status.OK && mean != null;
  }
}
