package dev.ferry.lab.model;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A row of a run document. Figures are null if there are too few samples for them, or if other
 * programs than the JVM did the work.
 *
 * @param key its name
 * @param baseline the method that ratios refer to
 * @param status what became of the row
 * @param reason why it failed or was skipped
 * @param setup what was arranged before it ran
 * @param work what an operation did
 * @param time how long operations took
 * @param cpu what they needed of the processor
 * @param memory what they needed of memory
 * @param bound what bounds the row
 * @param latency how long single operations took; null if they were not timed
 * @param client what the client used; null if both ends share a process
 * @param server what the server used; null if both ends share a process
 * @param parts means of what else is told of an operation
 */
public record Row(
    RowKey key,
    @Nullable String baseline,
    Status status,
    @Nullable String reason,
    Setup setup,
    Work work,
    Time time,
    Cpu cpu,
    Memory memory,
    Bound bound,
    @Nullable Latency latency,
    @Nullable Side client,
    @Nullable Side server,
    List<Part> parts) {
  public Row {
    // Runs of older versions have none.
    parts = List.copyOf(Objects.requireNonNullElse(parts, List.of()));
  }

  /**
   * What was arranged before a row ran.
   *
   * @param codec which library encodes
   * @param load what a sample does; null for the run's own file, once
   * @param processes how many processes shared the work
   * @param flags of the row's JVM beside those that all have
   */
  public record Setup(String codec, @Nullable Load load, int processes, List<String> flags) {
    public Setup {
      // Runs of older versions have none.
      flags = List.copyOf(Objects.requireNonNullElse(flags, List.of()));
    }
  }

  /**
   * What an operation did.
   *
   * @param bytes unencoded bytes per operation
   * @param wireBytes mean encoded bytes per operation, without the transport's headers
   * @param protocol as negotiated
   * @param encoding as negotiated
   * @param digestChecked whether size and SHA-256 of the result were compared after every sample
   */
  public record Work(
      @Nullable Long bytes,
      @Nullable Double wireBytes,
      @Nullable String protocol,
      @Nullable String encoding,
      boolean digestChecked) {
    /** Nothing was done. */
    public static final Work NONE = new Work(null, null, null, null, false);
  }

  /**
   * How long operations took.
   *
   * @param unit of all times: {@code ms} or {@code us}
   * @param n number of samples
   * @param samples every sample, in the order they were measured; the mean of its operations if it
   *     has several
   * @param mean arithmetic mean
   * @param error half of the 99.9 % interval of the mean (Student's t over all samples)
   * @param stdDev standard deviation of the samples (n - 1)
   * @param median middle sample
   * @param min least sample
   * @param max greatest sample
   * @param ratio mean divided by the baseline's mean
   * @param ratioStdDev ratio times the root of the two squared coefficients of variation
   */
  public record Time(
      String unit,
      int n,
      List<Double> samples,
      @Nullable Double mean,
      @Nullable Double error,
      @Nullable Double stdDev,
      @Nullable Double median,
      @Nullable Double min,
      @Nullable Double max,
      @Nullable Double ratio,
      @Nullable Double ratioStdDev) {
    /** Samples without figures. */
    public static Time of(String unit, List<Double> samples) {
      return new Time(
          unit, samples.size(), samples, null, null, null, null, null, null, null, null);
    }
  }

  /**
   * What operations needed of the processor, both ends together.
   *
   * @param millis mean CPU time per operation
   * @param switches mean number of times an operation's threads gave up the processor to wait; null
   *     if the system does not tell
   */
  public record Cpu(@Nullable Double millis, @Nullable Double switches) {
    /** Not known. */
    public static final Cpu UNKNOWN = new Cpu(null, null);
  }

  /**
   * What operations needed of memory, both ends together.
   *
   * @param allocatedBytes mean heap allocated per operation
   * @param allocRatio allocatedBytes divided by the baseline's
   * @param gen0 young collections per 1,000 operations
   * @param gen1 old collections per 1,000 operations
   * @param heapPeakBytes most heap seen in use in any sample, garbage included
   * @param directPeakBytes most direct memory seen in use in any sample; the sum of two processes'
   *     peaks
   */
  public record Memory(
      @Nullable Double allocatedBytes,
      @Nullable Double allocRatio,
      @Nullable Double gen0,
      @Nullable Double gen1,
      @Nullable Long heapPeakBytes,
      @Nullable Long directPeakBytes) {
    /** Not known. */
    public static final Memory UNKNOWN = new Memory(null, null, null, null, null, null);
  }

  /**
   * What bounds a row.
   *
   * @param ceiling name of the ceiling: the fastest, by median, of those that apply to the row and
   *     were measured with its load; null if there is none
   * @param times median divided by that ceiling's median
   */
  public record Bound(@Nullable String ceiling, @Nullable Double times) {
    /** No ceiling. */
    public static final Bound NONE = new Bound(null, null);
  }

  /** Values of the parameters by name, in the order of the columns. */
  public Map<String, String> parameters() {
    return key.parameters();
  }

  /** The method's name. */
  public String method() {
    return key.method();
  }

  /** Whether the row is the one its rivals are compared with. */
  public boolean isBaseline() {
    return key.method().equals(baseline);
  }

  /** Unencoded bytes per second of the mean, in 1,048,576; null without figures. */
  public @Nullable Double mebibytesPerSecond() {
    Double nanos = nanosPerByte();
    return nanos == null || nanos == 0 ? null : (Double) (1e9 / nanos / (1 << 20));
  }

  /** The mean, in nanoseconds per unencoded byte; null without figures. */
  public @Nullable Double nanosPerByte() {
    Double mean = time.mean();
    Long bytes = work.bytes();
    return mean == null || bytes == null || bytes == 0
        ? null
        : (Double) (mean * Unit.of(time.unit()).nanos() / bytes);
  }

  /** A figure per operation as one per gibibyte of unencoded bytes; null without figures. */
  public @Nullable Double perGib(@Nullable Double figure) {
    Long bytes = work.bytes();
    return figure == null || bytes == null || bytes == 0
        ? null
        : (Double) (figure * (1 << 30) / bytes);
  }

  /** Whether it ran and has figures. */
  public boolean measured() {
    return status == Status.OK && time.mean() != null;
  }
}
