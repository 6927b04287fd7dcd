package dev.ferry.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** Writes reports as JSON; {@code docs/json/load.schema.json} is its schema. */
public final class ReportJson {
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double MICROS_PER_MILLI = 1e3;
  private static final double[] PERCENTILES = {50, 90, 99, 99.9};
  private static final String[] NAMES = {"p50", "p90", "p99", "p999"};

  private ReportJson() {}

  /** Writes the report of a worker. */
  public static ObjectNode of(LoadReport report) {
    WorkerState state = report.state();
    ObjectNode json =
        object()
            .put("kind", "run")
            .put("complete", state.complete())
            .put("worker", state.worker())
            .put("started", state.started().toString())
            .put("seconds", state.seconds())
            .put("elapsedSeconds", state.elapsedSeconds());
    json.set("plan", PlanJson.of(report.plan()));
    addOperations(json, report.operations(), report.all());
    json.set("startLagMillis", times(report.lag()));
    json.put("waited", state.waited())
        .put("notStarted", state.notStarted())
        .put("notEnded", state.notEnded())
        .put("mostInFlight", state.mostInFlight())
        .put("cores", state.cores())
        .put("cpuShare", rounded(state.cpuShare()));
    ClockOffset clock = state.clock();
    if (clock != null) {
      json.put("clockOffsetMillis", rounded(clock.millis()))
          .put("clockUncertaintyMillis", rounded(clock.uncertaintyMillis()));
    }
    addNotes(json, report.notes());
    return json;
  }

  /** Writes what several workers have measured together. */
  public static ObjectNode of(MergedReport report) {
    ObjectNode json =
        object()
            .put("kind", "merge")
            .put("complete", report.complete())
            .put("overlapSeconds", rounded(report.overlapSeconds()));
    json.set("plan", PlanJson.of(report.plan()));
    addOperations(json, report.operations(), report.all());
    json.set("startLagMillis", times(report.lag()));
    ArrayNode workers = json.putArray("workers");
    report.workers().forEach(worker -> workers.add(of(worker)));
    ArrayNode missing = json.putArray("missing");
    report.missing().forEach(missing::add);
    addNotes(json, report.notes());
    return json;
  }

  /** Writes a search for the highest rate. */
  public static ObjectNode of(RateSearch.Result search) {
    ObjectNode json = object().put("kind", "find").put("limit", search.limit().toString());
    ArrayNode steps = json.putArray("steps");
    for (RateSearch.Step step : search.steps()) {
      ObjectNode one =
          object()
              .put("rate", rounded(step.rate()))
              .put("held", step.held())
              .put("withinLimit", step.withinLimit());
      addNotes(one.setAll(operation(step.report().all())), step.report().notes());
      one.set("startLagMillis", times(step.report().lag()));
      steps.add(one);
    }
    if (search.highest() > 0) {
      json.put("highestRate", rounded(search.highest()));
    }
    addNotes(json, search.notes());
    return json;
  }

  private static void addOperations(
      ObjectNode json, Collection<OperationResult> operations, OperationResult all) {
    ArrayNode array = json.putArray("operations");
    operations.forEach(operation -> array.add(operation(operation)));
    json.set("all", operation(all));
  }

  private static void addNotes(ObjectNode json, List<String> notes) {
    ArrayNode array = json.putArray("notes");
    notes.forEach(array::add);
  }

  private static ObjectNode operation(OperationResult result) {
    ObjectNode json =
        object()
            .put("operation", result.operation())
            .put("arrivals", result.arrivals())
            .put("succeeded", result.latencies().getTotalCount())
            .put("askedPerSecond", rounded(result.askedPerSecond()))
            .put("donePerSecond", rounded(result.donePerSecond()))
            .put("bytes", result.bytes())
            .put("bytesPerSecond", rounded(result.bytesPerSecond()));
    ObjectNode errors = json.putObject("errors");
    new TreeMap<>(result.errors()).forEach(errors::put);
    json.set("latencyMillis", times(result.latencies()));
    return json;
  }

  private static ObjectNode times(Histogram nanos) {
    ObjectNode json = object().put("count", nanos.getTotalCount());
    if (nanos.getTotalCount() > 0) {
      json.put("mean", millis(nanos.getMean()));
      for (int i = 0; i < NAMES.length; i++) {
        json.put(NAMES[i], millis(nanos.getValueAtPercentile(PERCENTILES[i])));
      }
      json.put("max", millis(nanos.getMaxValue()));
    }
    return json;
  }

  private static double millis(double nanos) {
    return Math.round(nanos / NANOS_PER_MICRO) / MICROS_PER_MILLI;
  }

  private static double rounded(double value) {
    return Math.round(value * MICROS_PER_MILLI) / MICROS_PER_MILLI;
  }

  private static ObjectNode object() {
    return new ObjectNode(JsonNodeFactory.instance);
  }

  /** Reads the errors of an operation in a report. */
  static Map<String, Long> errors(JsonNode operation) {
    Map<String, Long> errors = new TreeMap<>();
    operation
        .path("errors")
        .properties()
        .forEach(error -> errors.put(error.getKey(), error.getValue().longValue()));
    return errors;
  }
}
