package dev.ferry.lab.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RunDocument;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Renders the measured rows of a run as BenchmarkDotNet's full JSON exporter does ({@code
 * *-report-full.json}). All times are in nanoseconds.
 */
final class BenchmarkDotNetJson {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private static final List<Integer> PERCENTILES = List.of(25, 50, 67, 80, 85, 90, 95, 100);

  /** The code of 99.9 % in BenchmarkDotNet's enumeration of confidence levels. */
  private static final int LEVEL_99_9 = 12;

  private static final double THOUSAND = 1_000;

  private BenchmarkDotNetJson() {}

  static ObjectNode render(RunDocument run) {
    ObjectNode document = JSON.objectNode();
    document.put("Title", "Ferry-" + run.environment().started());
    document.set("HostEnvironmentInfo", environment(run));
    ArrayNode benchmarks = document.putArray("Benchmarks");
    run.rows().stream().filter(Row::measured).forEach(row -> benchmarks.add(row(run, row)));
    return document;
  }

  private static ObjectNode environment(RunDocument run) {
    RunDocument.Environment e = run.environment();
    ObjectNode node = JSON.objectNode();
    node.put("BenchmarkDotNetCaption", "Ferry");
    node.put("BenchmarkDotNetVersion", run.ferry().version());
    node.put("OsVersion", e.os());
    node.put("ProcessorName", e.cpu());
    node.put("LogicalCoreCount", e.cores());
    node.put("RuntimeVersion", "JDK " + e.jdk() + ", " + e.vm());
    node.put("HasAttachedDebugger", false);
    node.put("Configuration", "RELEASE");
    node.putObject("ChronometerFrequency").put("Hertz", 1_000_000_000);
    return node;
  }

  private static ObjectNode row(RunDocument run, Row row) {
    double nanos = row.time().unit().nanos();
    String type = row.key().table();
    String full = row.key().suite() + "." + type + "." + row.method();
    ObjectNode node = JSON.objectNode();
    node.put("DisplayInfo", type + "." + row.method() + ": " + run.profile());
    node.put("Namespace", row.key().suite());
    node.put("Type", type);
    node.put("Method", row.method());
    node.put("MethodTitle", row.method());
    node.put("Parameters", join(row.parameters(), "=", "&"));
    node.put(
        "FullName",
        row.parameters().isEmpty() ? full : full + "(" + join(row.parameters(), ": ", ", ") + ")");
    node.set("Statistics", statistics(row, nanos));
    node.set("Memory", memory(row));
    ArrayNode measurements = node.putArray("Measurements");
    int launch = 0;
    for (List<Double> fork : row.samplesByFork()) {
      launch++;
      for (int i = 0; i < fork.size(); i++) {
        ObjectNode sample = measurements.addObject();
        sample.put("IterationMode", "Workload").put("IterationStage", "Result");
        sample.put("LaunchIndex", launch).put("IterationIndex", i + 1);
        sample.put("Operations", operations(row));
        sample.put("Nanoseconds", fork.get(i) * nanos * operations(row));
      }
    }
    return node;
  }

  private static String join(Map<String, String> parameters, String equal, String between) {
    return parameters.entrySet().stream()
        .map(e -> e.getKey() + equal + Cells.parameter(e.getValue()))
        .collect(Collectors.joining(between));
  }

  private static int operations(Row row) {
    Load load = row.setup().load();
    return load == null ? 1 : load.operations();
  }

  private static ObjectNode statistics(Row row, double nanos) {
    double[] values = row.time().samples().stream().mapToDouble(s -> s * nanos).toArray();
    DescriptiveStatistics all = new DescriptiveStatistics(values);
    double q1 = all.getPercentile(25);
    double q3 = all.getPercentile(75);
    double lowerFence = q1 - 1.5 * (q3 - q1);
    double upperFence = q3 + 1.5 * (q3 - q1);
    ObjectNode node = JSON.objectNode();
    node.set("OriginalValues", array(values));
    node.put("N", values.length).put("Min", all.getMin()).put("LowerFence", lowerFence);
    node.put("Q1", q1).put("Median", all.getPercentile(50)).put("Mean", all.getMean());
    node.put("Q3", q3).put("UpperFence", upperFence).put("Max", all.getMax());
    node.put("InterquartileRange", q3 - q1);
    node.set("LowerOutliers", array(Arrays.stream(values).filter(v -> v < lowerFence).toArray()));
    node.set("UpperOutliers", array(Arrays.stream(values).filter(v -> v > upperFence).toArray()));
    node.set(
        "AllOutliers",
        array(Arrays.stream(values).filter(v -> v < lowerFence || v > upperFence).toArray()));
    double standardError = all.getStandardDeviation() / Math.sqrt(values.length);
    node.put("StandardError", standardError).put("Variance", all.getVariance());
    node.put("StandardDeviation", all.getStandardDeviation());
    node.put("Skewness", known(all.getSkewness())).put("Kurtosis", known(all.getKurtosis()));
    node.set("ConfidenceInterval", interval(row, nanos, all, standardError));
    ObjectNode percentiles = node.putObject("Percentiles").put("P0", all.getMin());
    PERCENTILES.forEach(p -> percentiles.put("P" + p, all.getPercentile(p)));
    return node;
  }

  private static ObjectNode interval(
      Row row, double nanos, DescriptiveStatistics all, double standardError) {
    Double error = row.time().error();
    Double margin = error == null ? null : (Double) (error * nanos);
    double mean = all.getMean();
    return JSON.objectNode()
        .put("N", all.getN())
        .put("Mean", mean)
        .put("StandardError", standardError)
        .put("Level", LEVEL_99_9)
        .put("Margin", margin)
        .put("Lower", margin == null ? null : (Double) (mean - margin))
        .put("Upper", margin == null ? null : (Double) (mean + margin));
  }

  /** JSON has no NaN, which few samples lead to. */
  private static @Nullable Double known(double value) {
    return Double.isFinite(value) ? (Double) value : null;
  }

  private static ArrayNode array(double[] values) {
    ArrayNode array = JSON.arrayNode();
    Arrays.stream(values).forEach(array::add);
    return array;
  }

  private static ObjectNode memory(Row row) {
    long operations = (long) row.time().n() * operations(row);
    Double bytes = row.memory().allocatedBytes();
    return JSON.objectNode()
        .put("Gen0Collections", collections(row.memory().gen0(), operations))
        .put("Gen1Collections", collections(row.memory().gen1(), operations))
        .put("Gen2Collections", 0)
        .put("TotalOperations", operations)
        .put("BytesAllocatedPerOperation", bytes == null ? null : (Long) Math.round(bytes));
  }

  private static long collections(@Nullable Double perThousand, long operations) {
    return perThousand == null ? 0 : Math.round(perThousand * operations / THOUSAND);
  }
}
