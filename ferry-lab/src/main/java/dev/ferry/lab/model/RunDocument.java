package dev.ferry.lab.model;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A run as {@code run.json} holds it: a public format, described in {@code docs/run-json.md}.
 *
 * @param schema name and version of the format, {@value #SCHEMA}
 * @param ferry which build measured
 * @param environment what it ran on
 * @param file what was moved
 * @param profile the profile's name
 * @param settings what the profile means
 * @param profiler what watched the samples, so that the figures are disturbed; null for nothing
 * @param complete whether every planned row was run in every round
 * @param rows in the order of the tables
 * @param ceilings how fast the machine does parts of the work, those of the run's own file first,
 *     then load by load
 * @param byTime tables whose rows stand in the order of their times, as {@code suite/table}
 */
public record RunDocument(
    String schema,
    Ferry ferry,
    Environment environment,
    SourceFile file,
    String profile,
    Settings settings,
    @Nullable Profiler profiler,
    boolean complete,
    List<Row> rows,
    List<Ceiling> ceilings,
    List<String> byTime) {
  public RunDocument {
    // Runs of older versions have none.
    byTime = List.copyOf(Objects.requireNonNullElse(byTime, List.of()));
  }

  /** Name and version of the format this code writes. */
  public static final String SCHEMA = "ferry-run/2";

  /** Whether a row or a ceiling failed. */
  public boolean failed() {
    return rows.stream().anyMatch(r -> r.status() == Status.FAILED)
        || ceilings.stream().anyMatch(c -> c.status() == Status.FAILED);
  }

  /**
   * Which build measured.
   *
   * @param version the jar's version
   * @param commit its git commit, with {@code -dirty} where the tree was; {@code unknown} without
   */
  public record Ferry(String version, String commit) {}

  /**
   * What the run ran on.
   *
   * @param started when, in UTC, ISO 8601
   * @param os name of the operating system
   * @param kernel its version
   * @param cpu model of the processor
   * @param cores logical processors the JVM sees
   * @param memoryBytes physical memory
   * @param jdk version of the Java runtime
   * @param vm name and version of the virtual machine
   * @param flags of the measuring JVMs
   * @param collector the garbage collector
   * @param heapBytes the heap, initial and maximal
   * @param fileSystem type of the file system of the work folder
   * @param loadBefore load average of one minute before the run; negative where unknown
   * @param loadAfter the same after it
   */
  public record Environment(
      String started,
      String os,
      String kernel,
      String cpu,
      int cores,
      long memoryBytes,
      String jdk,
      String vm,
      List<String> flags,
      String collector,
      long heapBytes,
      String fileSystem,
      double loadBefore,
      double loadAfter) {
    /** The same with the load after the run. */
    public Environment withLoadAfter(double load) {
      return new Environment(
          started,
          os,
          kernel,
          cpu,
          cores,
          memoryBytes,
          jdk,
          vm,
          flags,
          collector,
          heapBytes,
          fileSystem,
          loadBefore,
          load);
    }
  }

  /**
   * What was moved.
   *
   * @param name its file name
   * @param bytes its size
   * @param sha256 its digest, hexadecimal
   * @param gzip1Bytes its size as one gzip member at level 1
   */
  public record SourceFile(String name, long bytes, String sha256, long gzip1Bytes) {}

  /**
   * What a profile means.
   *
   * @param rounds passes over all rows; each has one fork per row
   * @param samplesPerRound timed operations of a row in one round
   * @param warmupMillis shortest warm-up of a fork, in milliseconds
   * @param maxWarmupMillis when a warm-up ends although the JVM is still busy compiling
   * @param warmupOperations fewest operations of a warm-up, however long they take
   * @param maxWarmupOperations when a warm-up ends however fast they are; 0 for no such limit
   */
  public record Settings(
      int rounds,
      int samplesPerRound,
      long warmupMillis,
      long maxWarmupMillis,
      int warmupOperations,
      int maxWarmupOperations) {
    /** Without a limit to the operations of a warm-up. */
    public Settings(
        int rounds,
        int samplesPerRound,
        long warmupMillis,
        long maxWarmupMillis,
        int warmupOperations) {
      this(rounds, samplesPerRound, warmupMillis, maxWarmupMillis, warmupOperations, 0);
    }

    /** One in so many of the samples, rounded up. */
    public Settings share(int one) {
      return new Settings(
          rounds,
          (samplesPerRound + one - 1) / one,
          warmupMillis,
          maxWarmupMillis,
          warmupOperations,
          maxWarmupOperations);
    }

    /** The same with another least number of operations. */
    public Settings withWarmupOperations(int least) {
      return new Settings(
          rounds, samplesPerRound, warmupMillis, maxWarmupMillis, least, maxWarmupOperations);
    }

    /** The same with a warm-up of so many operations at most. */
    public Settings withMaxWarmupOperations(int most) {
      return new Settings(
          rounds,
          samplesPerRound,
          warmupMillis,
          maxWarmupMillis,
          Math.min(most, warmupOperations),
          most);
    }
  }
}
