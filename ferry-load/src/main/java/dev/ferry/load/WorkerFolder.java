package dev.ferry.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a worker. Every second, a line of each operation is added to {@code
 * histograms.hlog} and {@code timeline.csv}, and {@code report.json} is replaced. So what a worker
 * has measured until it was killed is there. Used by one thread at a time.
 */
public final class WorkerFolder implements AutoCloseable {
  static final String PLAN = "plan.json";
  static final String REPORT = "report.json";
  static final String HISTOGRAMS = "histograms.hlog";

  /** The files of a worker that a {@link Merge} reads. */
  public static final List<String> MERGED = List.of(PLAN, REPORT, HISTOGRAMS);

  static final String LAG_TAG = "start-lag";
  private static final String TIMELINE = "timeline.csv";
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double P50 = 50;
  private static final double P90 = 90;
  private static final double P99 = 99;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Path folder;
  private final List<Second> seconds = new ArrayList<>();

  /** The failures of each operation until the last line. */
  private final Map<String, Long> failed = new HashMap<>();

  private @Nullable PrintStream histograms;
  private @Nullable PrintStream timeline;
  private @Nullable HistogramLogWriter log;

  private WorkerFolder(Path folder) {
    this.folder = folder;
  }

  /**
   * Makes the folder, and writes the plan and the environment.
   *
   * @throws FileAlreadyExistsException if it already has the files of a run
   * @throws IOException if it cannot be written
   */
  public static WorkerFolder create(Path folder, Workload plan, ObjectNode environment)
      throws IOException {
    if (isUsed(folder)) {
      throw new FileAlreadyExistsException(folder.toString());
    }
    Files.createDirectories(folder);
    WorkerFolder run = new WorkerFolder(folder);
    run.write(PLAN, PlanJson.of(plan));
    run.write("environment.json", environment);
    return run;
  }

  /** Whether a folder has the files of a run. */
  public static boolean isUsed(Path folder) {
    return Stream.of(PLAN, REPORT, HISTOGRAMS).anyMatch(n -> Files.exists(folder.resolve(n)));
  }

  /** The folder of a worker below that of all workers. */
  public static Path ofWorker(Path all, int worker) {
    return all.resolve(nameOfWorker(worker));
  }

  /** The name of the folder of a worker. */
  public static String nameOfWorker(int worker) {
    return "worker-" + worker;
  }

  /** Whether a name is that of the folder of a worker. */
  public static boolean isOfWorker(String name) {
    return Merge.WORKER.matcher(name).matches();
  }

  /** Writes a file of the folder, which is whole or not there. */
  public static void write(Path file, String text) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".part");
    try {
      Files.writeString(next, text);
      Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      // It still exists only after a failure.
      Files.deleteIfExists(next);
    }
  }

  private void write(String name, ObjectNode json) throws IOException {
    write(
        folder.resolve(name),
        MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(json) + "\n");
  }

  /** Replaces the report. */
  void write(LoadReport now) throws IOException {
    write(REPORT, ReportJson.of(now));
  }

  void begin(Instant started) throws IOException {
    histograms = open(HISTOGRAMS);
    timeline = open(TIMELINE);
    log = new HistogramLogWriter(histograms);
    log.outputComment("[Latencies of ferry load in nanoseconds, from the intended start]");
    log.outputLogFormatVersion();
    log.outputStartTime(started.toEpochMilli());
    log.setBaseTime(started.toEpochMilli());
    log.outputBaseTime(started.toEpochMilli());
    log.outputLegend();
    timeline.println(
        "from_s,to_s,operation,succeeded,failed,p50_ms,p90_ms,p99_ms,max_ms,in_flight");
  }

  private PrintStream open(String name) throws IOException {
    return new PrintStream(
        Files.newOutputStream(folder.resolve(name)), false, StandardCharsets.UTF_8);
  }

  /**
   * Adds what was measured between two times.
   *
   * @param from seconds after the beginning of the measured part
   * @param to the same
   * @param now what was measured since the beginning
   * @param second what was measured between the two times
   * @param inFlight how many operations run now
   * @throws IOException if a file cannot be written
   */
  void add(double from, double to, LoadReport now, LoadRecorder.Second second, int inFlight)
      throws IOException {
    HistogramLogWriter writer = log;
    PrintStream lines = timeline;
    PrintStream logged = histograms;
    if (writer == null || lines == null || logged == null) {
      throw new IllegalStateException("the run has not begun");
    }
    Histogram all = new Histogram(LoadRecorder.DIGITS);
    second.latencies().forEach(all::add);
    seconds.add(
        new Second(
            from,
            to,
            all.getTotalCount(),
            all.getValueAtPercentile(P50) / NANOS_PER_MILLI,
            all.getValueAtPercentile(P99) / NANOS_PER_MILLI));
    for (int i = 0; i < now.operations().size(); i++) {
      OperationResult operation = now.operations().get(i);
      Histogram latencies = second.latencies().get(i);
      latencies.setTag(operation.operation());
      writer.outputIntervalHistogram(from, to, latencies, NANOS_PER_MILLI);
      lines.printf(
          Locale.ROOT,
          "%.3f,%.3f,%s,%d,%d,%s,%d%n",
          from,
          to,
          operation.operation(),
          latencies.getTotalCount(),
          operation.failed() - failed.getOrDefault(operation.operation(), 0L),
          times(latencies),
          inFlight);
      failed.put(operation.operation(), operation.failed());
    }
    second.lag().setTag(LAG_TAG);
    writer.outputIntervalHistogram(from, to, second.lag(), NANOS_PER_MILLI);
    for (PrintStream stream : List.of(logged, lines)) {
      if (stream.checkError()) {
        throw new IOException(folder + ": cannot be written; is the disk full?");
      }
    }
    write(now);
  }

  /** Returns percentiles and the maximum; empty cells if nothing succeeded. */
  private static String times(Histogram latencies) {
    return latencies.getTotalCount() == 0
        ? ",,,"
        : String.format(
            Locale.ROOT,
            "%.3f,%.3f,%.3f,%.3f",
            latencies.getValueAtPercentile(P50) / NANOS_PER_MILLI,
            latencies.getValueAtPercentile(P90) / NANOS_PER_MILLI,
            latencies.getValueAtPercentile(P99) / NANOS_PER_MILLI,
            latencies.getMaxValue() / NANOS_PER_MILLI);
  }

  /**
   * What all operations together did in about a second.
   *
   * @param from seconds after the beginning of the measured part
   * @param to the same
   * @param succeeded how many operations ended
   * @param p50Millis the median of their latencies; 0 if there is none
   * @param p99Millis the percentile 99 of their latencies; 0 if there is none
   */
  public record Second(
      double from, double to, long succeeded, double p50Millis, double p99Millis) {}

  /** The seconds that were added so far. */
  public List<Second> seconds() {
    return List.copyOf(seconds);
  }

  @Override
  public void close() {
    if (histograms != null) {
      histograms.close();
    }
    if (timeline != null) {
      timeline.close();
    }
  }
}
