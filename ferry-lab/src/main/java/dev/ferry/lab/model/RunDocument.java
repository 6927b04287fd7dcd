package dev.ferry.lab.model;

import dev.ferry.lab.model.network.NetworkRun;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A run as stored in {@code run.json}. This is a public format that {@code docs/bench/run-json.md}
 * describes.
 *
 * @param schema the name and version of the format, {@value #SCHEMA}
 * @param ferry the build that measured
 * @param environment the environment of the run
 * @param file the transferred file
 * @param profile the name of the profile
 * @param settings the settings of the profile
 * @param profiler the profiler of the samples, which distorted the figures; null for none
 * @param complete whether every planned row was run in every round
 * @param rows the rows in the order of the tables
 * @param ceilings how fast the machine does parts of the work; first the ceilings of the run's
 *     file, then those of each load
 * @param byTime the tables whose rows are sorted by time, as {@code suite/table}
 * @param criteria the criteria of the verdicts
 * @param advice what to do, in sentences that hold for this machine and file
 * @param arguments the arguments of the command that made the run, with which it can be resumed
 * @param network the network between client and server; null for the loopback
 * @param server the environment of the server's machine, without the load after the run; null if it
 *     is the client's
 * @param minutesForVerdicts how long the run was estimated to need for three forks of each row,
 *     once it was known to be too short; null if it was long enough
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
    List<String> byTime,
    Criteria criteria,
    List<String> advice,
    List<String> arguments,
    @Nullable NetworkRun network,
    @Nullable Environment server,
    @Nullable Long minutesForVerdicts) {
  public RunDocument {
    byTime = List.copyOf(byTime);
    advice = List.copyOf(advice);
    arguments = List.copyOf(arguments);
  }

  /**
   * Returns a copy whose rows have names for people.
   *
   * @param names returns the name of a row's method; empty to leave it as it is
   */
  public RunDocument withNames(Function<RowKey, Optional<String>> names) {
    return with(
        rows.stream().map(row -> names.apply(row.key()).map(row::named).orElse(row)).toList(),
        advice);
  }

  /** Returns a copy with advice. */
  public RunDocument withAdvice(List<String> sentences) {
    return with(rows, sentences);
  }

  private RunDocument with(List<Row> others, List<String> sentences) {
    return new RunDocument(
        schema,
        ferry,
        environment,
        file,
        profile,
        settings,
        profiler,
        complete,
        others,
        ceilings,
        byTime,
        criteria,
        sentences,
        arguments,
        network,
        server,
        minutesForVerdicts);
  }

  /** The name and version of the format that this code writes. */
  public static final String SCHEMA = "ferry-run/2";

  /** Returns whether a row or a ceiling failed. */
  public boolean failed() {
    return rows.stream().anyMatch(r -> r.status() == Status.FAILED)
        || ceilings.stream().anyMatch(c -> c.status() == Status.FAILED);
  }

  /**
   * Returns the share of the machine, or of both, that other programs used while the rows ran; null
   * if that is not known.
   */
  public @Nullable Double others() {
    Disturbance all =
        Disturbance.sum(
            rows.stream()
                .flatMap(row -> row.forks().stream())
                .map(ForkFigures::disturbance)
                .toList());
    return all.others(environment.cores() + (server == null ? 0 : server.cores()));
  }

  /**
   * The build that measured.
   *
   * @param version the version of the jar
   * @param commit its git commit, with {@code -dirty} if the working tree was modified; {@code
   *     unknown} if not available
   */
  public record Ferry(String version, String commit) {}

  /**
   * The environment of a run.
   *
   * @param started the start time in UTC, ISO 8601
   * @param os the name of the operating system
   * @param kernel the version of the kernel
   * @param cpu the model of the processor
   * @param cores the number of logical processors of the JVM
   * @param memoryBytes the physical memory in bytes
   * @param jdk the version of the Java runtime
   * @param vm the name and version of the virtual machine
   * @param flags the flags of the measuring JVMs
   * @param collector the garbage collector
   * @param heapBytes the initial and maximum heap size in bytes
   * @param fileSystem the file system type of the work folder
   * @param loadBefore the one-minute load average before the run; negative if unknown
   * @param loadAfter the one-minute load average after the run; negative if unknown
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
    /** Returns whether both are of the same machine with the same JVM. */
    public boolean sameMachine(Environment other) {
      return cpu.equals(other.cpu)
          && cores == other.cores
          && jdk.equals(other.jdk)
          && vm.equals(other.vm)
          && flags.equals(other.flags);
    }

    /** Returns whether both are of the same machine, or there is neither. */
    public static boolean sameMachine(@Nullable Environment one, @Nullable Environment other) {
      return one == null || other == null ? one == other : one.sameMachine(other);
    }

    /** Returns a copy with the load after the run. */
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
   * The transferred file.
   *
   * @param name the file name
   * @param bytes the size in bytes
   * @param sha256 the digest in hexadecimal
   * @param gzip1Bytes the size in bytes as one gzip member at level 1
   */
  public record SourceFile(String name, long bytes, String sha256, long gzip1Bytes) {}

  /**
   * The settings of a profile.
   *
   * @param rounds the number of passes over all rows; each pass has one fork per row
   * @param samplesPerRound the number of samples of a row in one round
   * @param warmupMillis the minimum warm-up time of a fork in milliseconds
   * @param maxWarmupMillis the maximum warm-up time in milliseconds, even if the JVM is still
   *     compiling
   * @param warmupOperations the minimum number of warm-up operations, regardless of their duration
   * @param maxWarmupOperations the maximum number of warm-up operations; 0 for no maximum
   */
  public record Settings(
      int rounds,
      int samplesPerRound,
      long warmupMillis,
      long maxWarmupMillis,
      int warmupOperations,
      int maxWarmupOperations) {
    /** Creates settings without a maximum number of warm-up operations. */
    public Settings(
        int rounds,
        int samplesPerRound,
        long warmupMillis,
        long maxWarmupMillis,
        int warmupOperations) {
      this(rounds, samplesPerRound, warmupMillis, maxWarmupMillis, warmupOperations, 0);
    }

    /** Returns a copy with the number of samples divided by a number and rounded up. */
    public Settings share(int one) {
      return new Settings(
          rounds,
          (samplesPerRound + one - 1) / one,
          warmupMillis,
          maxWarmupMillis,
          warmupOperations,
          maxWarmupOperations);
    }

    /** Returns a copy with another minimum number of warm-up operations. */
    public Settings withWarmupOperations(int least) {
      return new Settings(
          rounds, samplesPerRound, warmupMillis, maxWarmupMillis, least, maxWarmupOperations);
    }

    /** Returns a copy with a maximum number of warm-up operations. */
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
