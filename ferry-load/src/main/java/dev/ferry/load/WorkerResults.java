package dev.ferry.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.jspecify.annotations.Nullable;

/** Reads what a worker has left in its {@link WorkerFolder}. */
final class WorkerResults {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private WorkerResults() {}

  /** Reads the plan of a worker; null if it has not written any. */
  static @Nullable Workload plan(Path folder) throws IOException {
    Path file = folder.resolve(WorkerFolder.PLAN);
    try {
      return Files.exists(file) ? plan(json(file)) : null;
    } catch (IllegalArgumentException e) {
      throw wrong(file, "is no plan of ferry load", e);
    }
  }

  private static JsonNode json(Path file) throws IOException {
    try {
      return MAPPER.readTree(Files.readAllBytes(file));
    } catch (JsonProcessingException e) {
      throw wrong(file, "is no JSON", e);
    }
  }

  private static FerryException wrong(Path file, String what, Exception cause) {
    return new FerryException(ErrorKind.INVALID_REQUEST, file + ": " + what, cause);
  }

  private static Workload plan(JsonNode json) {
    Workload other = PlanJson.ofEngine(json);
    if (other != null) {
      return other;
    }
    Shares<OperationName> mix = new Shares<>(List.of(OperationName.CALL), List.of(1.0));
    Shares<Long> files = new Shares<>(List.of(1L), List.of(1.0));
    // A plan that a worker has written has all properties.
    return PlanJson.parse(
        json, new Plan(1, 1, 0, Plan.Spacing.CONSTANT, mix, files, 0, 1, null, 1, 1));
  }

  /**
   * Reads what a worker has measured; null if it was ended before its first second.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if a file is none of {@link
   *     RunFolder}
   * @throws IOException if a file cannot be read
   */
  static @Nullable LoadReport read(Path folder) throws IOException {
    Path file = folder.resolve(WorkerFolder.REPORT);
    if (!Files.exists(file)) {
      return null;
    }
    JsonNode json = json(file);
    Map<String, Histogram> histograms = histograms(folder.resolve(WorkerFolder.HISTOGRAMS));
    try {
      WorkerState state = state(json);
      List<OperationResult> operations = new ArrayList<>();
      for (JsonNode operation : json.path("operations")) {
        operations.add(operation(operation, state, histograms));
      }
      Histogram lag =
          histograms.getOrDefault(WorkerFolder.LAG_TAG, new Histogram(LoadRecorder.DIGITS));
      return new LoadReport(plan(json.path("plan")), state, operations, lag);
    } catch (RuntimeException e) {
      throw wrong(file, "is no report of ferry load", e);
    }
  }

  private static OperationResult operation(
      JsonNode json, WorkerState state, Map<String, Histogram> histograms) {
    String name = json.path("operation").asText();
    Histogram latencies = histograms.getOrDefault(name, new Histogram(LoadRecorder.DIGITS));
    long arrivals = json.path("arrivals").longValue();
    long bytes = json.path("bytes").longValue();
    return new OperationResult(
        name,
        arrivals,
        arrivals / state.seconds(),
        latencies.getTotalCount() / state.elapsedSeconds(),
        bytes,
        bytes / state.elapsedSeconds(),
        ReportJson.errors(json),
        latencies);
  }

  private static WorkerState state(JsonNode json) {
    ClockOffset clock =
        json.has("clockOffsetMillis")
            ? new ClockOffset(
                json.path("clockOffsetMillis").doubleValue(),
                json.path("clockUncertaintyMillis").doubleValue())
            : null;
    return new WorkerState(
        json.path("worker").intValue(),
        json.path("complete").booleanValue(),
        Instant.parse(json.path("started").asText()),
        json.path("seconds").doubleValue(),
        json.path("elapsedSeconds").doubleValue(),
        json.path("waited").longValue(),
        json.path("notStarted").longValue(),
        json.path("notEnded").longValue(),
        json.path("mostInFlight").intValue(),
        json.path("cores").intValue(),
        json.path("cpuShare").doubleValue(),
        clock);
  }

  /** Adds up the histograms of all seconds by their tag. */
  static Map<String, Histogram> histograms(Path log) throws IOException {
    byte[] all = Files.readAllBytes(log);
    // The last line of a worker that was killed may not be whole.
    int end = all.length;
    while (end > 0 && all[end - 1] != '\n') {
      end--;
    }
    Map<String, Histogram> sums = new HashMap<>();
    try {
      HistogramLogReader reader =
          new HistogramLogReader(new ByteArrayInputStream(Arrays.copyOf(all, end)));
      while (reader.hasNext()) {
        EncodableHistogram next = reader.nextIntervalHistogram();
        if (next instanceof Histogram histogram) {
          sums.computeIfAbsent(
                  String.valueOf(histogram.getTag()), tag -> new Histogram(LoadRecorder.DIGITS))
              .add(histogram);
        }
      }
      return sums;
    } catch (RuntimeException e) {
      throw wrong(log, "is no log of histograms", e);
    }
  }
}
