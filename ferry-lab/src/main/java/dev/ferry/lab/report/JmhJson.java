package dev.ferry.lab.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RunDocument;
import java.util.List;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.jspecify.annotations.Nullable;

/**
 * Renders the measured rows of a run in the JSON format of JMH's results, as its {@code -rf json}
 * writes it.
 */
final class JmhJson {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** What JMH writes for a number that is not known. */
  private static final String UNKNOWN = "NaN";

  private static final String SINGLE_SHOT = "single-shot";

  /** The percentiles of JMH. */
  private static final List<String> PERCENTILES =
      List.of("0.0", "50.0", "90.0", "95.0", "99.0", "99.9", "99.99", "99.999", "99.9999", "100.0");

  private JmhJson() {}

  static ArrayNode render(RunDocument run) {
    ArrayNode all = JSON.arrayNode();
    run.rows().stream().filter(Row::measured).forEach(row -> all.add(row(run, row)));
    return all;
  }

  private static ObjectNode row(RunDocument run, Row row) {
    List<List<Double>> forks = row.samplesByFork();
    Load load = row.setup().load();
    ObjectNode node = JSON.objectNode();
    node.put("jmhVersion", "ferry " + run.ferry().version());
    node.put("benchmark", row.key().suite() + "." + row.key().table() + "." + row.method());
    node.put("mode", "ss");
    node.put("threads", load == null ? 1 : Math.max(load.workers(), load.atOnce()));
    node.put("forks", forks.size());
    node.put("jdkVersion", run.environment().jdk());
    node.put("vmName", run.environment().vm());
    node.put("warmupIterations", run.settings().warmupOperations());
    node.put("warmupTime", SINGLE_SHOT);
    node.put("warmupBatchSize", 1);
    node.put("measurementIterations", forks.get(0).size());
    node.put("measurementTime", SINGLE_SHOT);
    node.put("measurementBatchSize", 1);
    if (!row.parameters().isEmpty()) {
      ObjectNode parameters = node.putObject("params");
      row.parameters().forEach(parameters::put);
    }
    node.set("primaryMetric", time(row, forks));
    ObjectNode others = node.putObject("secondaryMetrics");
    figure(others, "gc.alloc.rate.norm", "B/op", row.memory().allocatedBytes());
    figure(others, "cpu", "ms/op", row.cpu().millis());
    return node;
  }

  private static ObjectNode time(Row row, List<List<Double>> forks) {
    Row.Time time = row.time();
    ObjectNode metric = metric(time.mean(), time.error(), time.unit() + "/op");
    ObjectNode percentiles = metric.putObject("scorePercentiles");
    Percentile percentile = new Percentile();
    percentile.setData(time.samples().stream().mapToDouble(s -> s).toArray());
    for (String p : PERCENTILES) {
      double at = Double.parseDouble(p);
      percentiles.put(p, at == 0 ? time.min() : (Double) percentile.evaluate(at));
    }
    ArrayNode raw = metric.putArray("rawData");
    forks.forEach(fork -> fork.forEach(raw.addArray()::add));
    return metric;
  }

  private static void figure(ObjectNode all, String name, String unit, @Nullable Double value) {
    if (value != null) {
      ObjectNode metric = metric(value, null, unit);
      metric.putObject("scorePercentiles");
      metric.putArray("rawData").addArray().add(value);
      all.set(name, metric);
    }
  }

  private static ObjectNode metric(@Nullable Double score, @Nullable Double error, String unit) {
    ObjectNode metric = JSON.objectNode();
    metric.put("score", score);
    ArrayNode confidence = JSON.arrayNode();
    if (score == null || error == null) {
      metric.put("scoreError", UNKNOWN);
      confidence.add(UNKNOWN).add(UNKNOWN);
    } else {
      metric.put("scoreError", error);
      confidence.add(score - error).add(score + error);
    }
    metric.set("scoreConfidence", confidence);
    return metric.put("scoreUnit", unit);
  }
}
