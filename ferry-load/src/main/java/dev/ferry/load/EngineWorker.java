package dev.ferry.load;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;

/**
 * Writes what a worker of another engine measures to a {@link WorkerFolder}, second by second. So
 * {@link Merge} reads it like the results of a worker of this load. Used by one thread at a time.
 */
public final class EngineWorker implements AutoCloseable {
  /** What no tag of the log of HdrHistogram may have. */
  private static final Pattern NO_TAG = Pattern.compile("[\\s,]+");

  private final Workload.OfEngine load;
  private final int number;
  private final Instant started;
  private final WorkerFolder folder;
  private final Map<String, Sum> sums = new LinkedHashMap<>();
  private Second last = new Second(0, 0, 0, 1, 0, List.of());
  private double lastEnd;
  private int mostInFlight;

  /**
   * What an operation did in a second.
   *
   * @param operation its name, as of {@link #nameOf}
   * @param latencies nanoseconds of those that succeeded
   * @param bytes bytes of files that those moved
   * @param errors number of failures by their kind
   */
  public record Sampled(
      String operation, Histogram latencies, long bytes, Map<String, Long> errors) {}

  /**
   * What a worker did in a second.
   *
   * @param from seconds after its beginning
   * @param to the same
   * @param inFlight how many operations can run at its end
   * @param cores processors of the machine
   * @param cpuShare time of processors that the process has used since its beginning, divided by
   *     all there was
   * @param operations those that ended
   */
  public record Second(
      double from, double to, int inFlight, int cores, double cpuShare, List<Sampled> operations) {}

  /** What an operation did since the beginning. */
  private static final class Sum {
    final Histogram latencies = new Histogram(LoadRecorder.DIGITS);
    final Map<String, Long> errors = new TreeMap<>();
    long bytes;

    void add(Sampled sampled) {
      latencies.add(sampled.latencies());
      bytes += sampled.bytes();
      sampled.errors().forEach((kind, count) -> errors.merge(kind, count, Long::sum));
    }

    OperationResult result(String operation, double seconds) {
      long failed = errors.values().stream().mapToLong(Long::longValue).sum();
      long arrivals = latencies.getTotalCount() + failed;
      return new OperationResult(
          operation,
          arrivals,
          arrivals / seconds,
          latencies.getTotalCount() / seconds,
          bytes,
          bytes / seconds,
          errors,
          latencies);
    }
  }

  private EngineWorker(Workload.OfEngine load, int number, Instant started, WorkerFolder folder) {
    this.load = load;
    this.number = number;
    this.started = started;
    this.folder = folder;
  }

  /**
   * Returns the name of an operation that another engine calls so. Names that differ in spaces and
   * commas alone are the same.
   */
  public static String nameOf(String label) {
    String name = NO_TAG.matcher(label).replaceAll("-");
    return name.isEmpty() || name.equals(WorkerFolder.LAG_TAG) ? "(" + name + ")" : name;
  }

  /**
   * Makes the folder of a worker.
   *
   * @param all the folder of all workers
   * @param number from 1 to the number of workers
   * @param started when it began, by its own clock
   * @param environment where it runs
   * @throws FileAlreadyExistsException if the folder has the files of another run
   * @throws IOException if it cannot be written
   */
  public static EngineWorker create(
      Path all, Workload.OfEngine load, int number, Instant started, ObjectNode environment)
      throws IOException {
    WorkerFolder folder =
        WorkerFolder.create(WorkerFolder.ofWorker(all, number), load, environment);
    try {
      folder.begin(started);
    } catch (IOException e) {
      folder.close();
      throw e;
    }
    return new EngineWorker(load, number, started, folder);
  }

  /**
   * Adds a second.
   *
   * @throws IOException if the folder cannot be written
   */
  public void add(Second second) throws IOException {
    last = second;
    lastEnd = second.operations().isEmpty() ? lastEnd : second.to();
    mostInFlight = Math.max(mostInFlight, second.inFlight());
    Map<String, Histogram> latencies = new LinkedHashMap<>();
    for (Sampled sampled : second.operations()) {
      sums.computeIfAbsent(sampled.operation(), name -> new Sum()).add(sampled);
      latencies
          .computeIfAbsent(sampled.operation(), name -> new Histogram(LoadRecorder.DIGITS))
          .add(sampled.latencies());
    }
    List<Histogram> ofSecond = new ArrayList<>();
    for (String operation : sums.keySet()) {
      Histogram known = latencies.get(operation);
      ofSecond.add(known == null ? new Histogram(LoadRecorder.DIGITS) : known);
    }
    // No engine tells when an operation was to start.
    Histogram lag = new Histogram(LoadRecorder.DIGITS);
    folder.add(
        second.from(),
        second.to(),
        report(false),
        new LoadRecorder.Second(ofSecond, lag),
        second.inFlight());
  }

  /**
   * Notes that the worker has ended its part.
   *
   * @throws IOException if the folder cannot be written
   */
  public void end() throws IOException {
    folder.write(report(true));
  }

  /** How many seconds of its part have arrived. */
  public double seconds() {
    return last.to();
  }

  private LoadReport report(boolean complete) {
    // What follows the last operation is no part of the load.
    double seconds = Math.max(lastEnd, Double.MIN_NORMAL);
    WorkerState state =
        new WorkerState(
            number,
            complete,
            started,
            seconds,
            seconds,
            0,
            0,
            0,
            mostInFlight,
            last.cores(),
            last.cpuShare(),
            null);
    List<OperationResult> results = new ArrayList<>();
    sums.forEach((operation, sum) -> results.add(sum.result(operation, seconds)));
    return new LoadReport(load, state, results, new Histogram(LoadRecorder.DIGITS));
  }

  @Override
  public void close() {
    folder.close();
  }
}
