package dev.ferry.lab.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * A row of a run document. A figure is null if there are too few samples for it, or if programs
 * other than the JVM did the work.
 *
 * @param key the name of the row
 * @param name what people call the method; null if nobody has named it
 * @param baseline the method to which ratios refer
 * @param status the result of the row
 * @param reason why it failed or was skipped
 * @param setup the setup of the row
 * @param work the work of an operation
 * @param time the duration of operations
 * @param cpu the CPU use of operations
 * @param memory the memory use of operations
 * @param bound the ceiling that bounds the row
 * @param latency the duration of single operations; null if they were not timed
 * @param client the resource use of the client; null if both ends share a process
 * @param server the resource use of the server; null if both ends share a process
 * @param parts the means of additional figures of an operation
 * @param forks the figures of each fork, in order of measurement
 * @param disturbed the forks that were disturbed; another fork replaced each that names a file
 * @param comparison the comparison with the baseline; null for the baseline itself
 */
public record Row(
    RowKey key,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String name,
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
    @Nullable ProcessUse client,
    @Nullable ProcessUse server,
    List<Part> parts,
    List<ForkFigures> forks,
    List<DisturbedFork> disturbed,
    @Nullable Comparison comparison) {
  public Row {
    disturbed = List.copyOf(disturbed);
    parts = List.copyOf(parts);
    forks = List.copyOf(forks);
    if (time.mean() != null
        && forks.stream().mapToLong(ForkFigures::n).sum() != time.samples().size()) {
      throw new IllegalArgumentException(key + ": its forks do not have its samples");
    }
  }

  /** Returns a copy with a comparison. */
  public Row with(Comparison compared) {
    return with(name, compared);
  }

  /** Returns a copy with a name for people. */
  public Row named(String called) {
    return with(called, comparison);
  }

  private Row with(@Nullable String called, @Nullable Comparison compared) {
    return new Row(
        key, called, baseline, status, reason, setup, work, time, cpu, memory, bound, latency,
        client, server, parts, forks, disturbed, compared);
  }

  /**
   * The setup of a row.
   *
   * @param codec the encoding library
   * @param digest the digest that is compared in each transfer, and who computes it: {@code crc32c}
   *     or {@code sha256} with {@link #AT_BOTH_ENDS} or {@link #KNOWN}, or {@link #NO_DIGEST}
   * @param load what a sample does; null for the run's file, once
   * @param processes the number of processes that share the work
   * @param flags the additional flags of the row's JVM
   */
  public record Setup(
      String codec, String digest, @Nullable Load load, int processes, List<String> flags) {
    /** What {@link #digest} is if nothing is verified. */
    public static final String NO_DIGEST = "none";

    /** Follows a digest that both ends compute in each transfer. */
    public static final String AT_BOTH_ENDS = " at both ends";

    /** Follows a digest that only the receiver computes: the server knows that of its file. */
    public static final String KNOWN = ", known to the server";

    public Setup {
      // Runs of earlier versions do not say it.
      digest = Objects.requireNonNullElse(digest, NO_DIGEST);
      flags = List.copyOf(flags);
    }
  }

  /**
   * The work of an operation.
   *
   * @param bytes unencoded bytes per operation
   * @param wireBytes mean encoded bytes per operation, without the headers of the transport
   * @param protocol the negotiated protocol
   * @param encoding the negotiated encoding
   * @param digestChecked whether size and SHA-256 of the result were checked after every sample
   */
  public record Work(
      @Nullable Long bytes,
      @Nullable Double wireBytes,
      @Nullable String protocol,
      @Nullable String encoding,
      boolean digestChecked) {
    /** No work was done. */
    public static final Work NONE = new Work(null, null, null, null, false);
  }

  /**
   * The duration of operations.
   *
   * @param unit the unit of all times
   * @param n number of samples
   * @param samples all samples in order of measurement; a sample of several operations is their
   *     mean
   * @param mean arithmetic mean
   * @param error half of the 99.9 % confidence interval of the mean (Student's t over the means of
   *     the forks); null with fewer than three forks
   * @param stdDev standard deviation of the samples (n - 1)
   * @param median median of the samples
   * @param min smallest sample
   * @param max largest sample
   * @param ratio the geometric mean of the forks' medians divided by that of the baseline
   * @param ratioStdDev quotient of the means times the square root of the sum of the two squared
   *     coefficients of variation
   */
  public record Time(
      Unit unit,
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
    public Time {
      if (samples.stream().anyMatch(sample -> !(sample >= 0))) {
        throw new IllegalArgumentException("a sample took less than no time");
      }
      if (mean != null && (median == null || min == null || max == null)) {
        throw new IllegalArgumentException("there is a mean, but no median, minimum or maximum");
      }
    }

    /** Creates a time of samples without figures. */
    public static Time of(Unit unit, List<Double> samples) {
      return new Time(
          unit, samples.size(), samples, null, null, null, null, null, null, null, null);
    }
  }

  /**
   * The CPU use of operations, client and server together.
   *
   * @param millis mean CPU time per operation in milliseconds
   * @param switches mean number of voluntary context switches per operation; null if the system
   *     does not report them
   */
  public record Cpu(@Nullable Double millis, @Nullable Double switches) {
    /** Unknown CPU use. */
    public static final Cpu UNKNOWN = new Cpu(null, null);
  }

  /**
   * The memory use of operations, client and server together.
   *
   * @param allocatedBytes mean allocated heap per operation in bytes
   * @param allocRatio allocatedBytes divided by the allocatedBytes of the baseline
   * @param gen0 young collections per 1,000 operations
   * @param gen1 old collections per 1,000 operations
   * @param heapPeakBytes the largest heap use of any sample in bytes, including garbage
   * @param directPeakBytes the largest direct memory use of any sample in bytes; with two
   *     processes, the sum of their peaks
   */
  public record Memory(
      @Nullable Double allocatedBytes,
      @Nullable Double allocRatio,
      @Nullable Double gen0,
      @Nullable Double gen1,
      @Nullable Long heapPeakBytes,
      @Nullable Long directPeakBytes) {
    /** Unknown memory use. */
    public static final Memory UNKNOWN = new Memory(null, null, null, null, null, null);
  }

  /**
   * The ceiling that bounds a row.
   *
   * @param ceiling the name of the ceiling; null if there is none. It is the one with the lowest
   *     median among those that apply to the row and were measured with its load.
   * @param times the median of the row divided by the median of the ceiling
   */
  public record Bound(@Nullable String ceiling, @Nullable Double times) {
    /** No ceiling. */
    public static final Bound NONE = new Bound(null, null);
  }

  /** Returns the parameter values by name, in the order of the columns. */
  public Map<String, String> parameters() {
    return key.parameters();
  }

  /** Returns the name of the method. */
  public String method() {
    return key.method();
  }

  /** Returns whether both rows compress at the same level, or neither does. */
  public boolean sameLevel(Row other) {
    return Codec.sameLevel(setup.codec(), other.setup.codec());
  }

  /** Returns whether the row runs the baseline once more, see {@link RowKey#control}. */
  public boolean isControl() {
    return key.isControl();
  }

  /** Returns whether the row is the baseline of its rivals. */
  public boolean isBaseline() {
    return key.method().equals(baseline);
  }

  /**
   * Returns the time of an operation as short reports show it, so that ratios are quotients of two
   * of them. Null without figures.
   */
  public @Nullable Double typicalTime() {
    OptionalDouble ofForks = ForkFigures.typical(forks);
    return ofForks.isPresent() ? (Double) ofForks.getAsDouble() : null;
  }

  /** Returns whether the row has as many forks as a verdict, an interval and an error need. */
  public boolean hasEnoughForks() {
    return forks.size() >= Criteria.LEAST_FORKS;
  }

  /** Returns whether the mean is the time between operations, and not only that of one. */
  private boolean tellsThroughput() {
    Load load = setup.load();
    return load == null || !load.isOpenLoop();
  }

  /**
   * Returns the throughput in MiB (1,048,576 bytes) of unencoded data per second, based on the
   * mean; null without figures, and if operations arrive at a constant rate.
   */
  public @Nullable Double mebibytesPerSecond() {
    Double nanos = nanosPerByte();
    return nanos == null || nanos == 0 ? null : (Double) (1e9 / nanos / (1 << 20));
  }

  /**
   * Returns the mean in nanoseconds per unencoded byte; null without figures, and if operations
   * arrive at a constant rate.
   */
  public @Nullable Double nanosPerByte() {
    Double mean = time.mean();
    Long bytes = work.bytes();
    return mean == null || bytes == null || bytes == 0 || !tellsThroughput()
        ? null
        : (Double) (mean * time.unit().nanos() / bytes);
  }

  /**
   * Returns the operations per second, based on the mean; null without figures, and if operations
   * arrive at a constant rate.
   */
  public @Nullable Double operationsPerSecond() {
    Double mean = time.mean();
    return mean == null || mean == 0 || !tellsThroughput()
        ? null
        : (Double) (1e9 / mean / time.unit().nanos());
  }

  /**
   * Converts a figure per operation to a figure per GiB of unencoded data; null without figures.
   */
  public @Nullable Double perGib(@Nullable Double figure) {
    Long bytes = work.bytes();
    return figure == null || bytes == null || bytes == 0
        ? null
        : (Double) (figure * (1 << 30) / bytes);
  }

  /** Returns the samples of each fork, in the order of {@link #forks}. */
  public List<List<Double>> samplesByFork() {
    List<List<Double>> all = new ArrayList<>();
    int from = 0;
    for (ForkFigures fork : forks) {
      all.add(time.samples().subList(from, from + fork.n()));
      from += fork.n();
    }
    return all;
  }

  /** Returns whether the row ran and has figures. */
  public boolean measured() {
    return status == Status.OK && time.mean() != null;
  }
}
