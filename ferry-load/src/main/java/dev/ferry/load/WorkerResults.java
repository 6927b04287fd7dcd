package dev.ferry.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
  private WorkerResults() {}

  /** Reads the plan of a worker; null if it has not written any. */
  static @Nullable Workload plan(Path folder) throws IOException {
    Path file = folder.resolve(WorkerFolder.PLAN);
    try {
      return Files.exists(file) ? PlanJson.read(json(file)) : null;
    } catch (JsonProcessingException e) {
      throw wrong(file, "is no plan of ferry load", e);
    }
  }

  private static JsonNode json(Path file) throws IOException {
    try {
      return PlanJson.LENIENT.readTree(Files.readAllBytes(file));
    } catch (JsonProcessingException e) {
      throw wrong(file, "is no JSON", e);
    }
  }

  private static FerryException wrong(Path file, String what, Exception cause) {
    return new FerryException(ErrorKind.INVALID_REQUEST, file + ": " + what, cause);
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
      return new LoadReport(PlanJson.read(json.path("plan")), state, operations, lag);
    } catch (JsonProcessingException | RuntimeException e) {
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

  private static WorkerState state(JsonNode json) throws JsonProcessingException {
    ObjectNode state = json.deepCopy();
    if (json.has("clockOffsetMillis")) {
      state
          .putObject("clock")
          .<ObjectNode>set("millis", json.path("clockOffsetMillis"))
          .set("uncertaintyMillis", json.path("clockUncertaintyMillis"));
    }
    return PlanJson.LENIENT.treeToValue(state, WorkerState.class);
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
