package dev.ferry.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ferry.lab.model.RunDocument;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ExportTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init") // set before each test
  private RunDocument run;

  /** A run of one row with four samples in two forks, and a row that failed. */
  @BeforeEach
  void readRun() throws Exception {
    try (InputStream in = ExportTest.class.getResourceAsStream("small-run.json")) {
      ObjectNode tree = (ObjectNode) JSON.readTree(Objects.requireNonNull(in));
      ArrayNode rows = (ArrayNode) tree.path("rows");
      ObjectNode row = (ObjectNode) rows.get(0);
      rows.removeAll().add(row);
      ObjectNode time = (ObjectNode) row.path("time");
      time.put("n", 4).putArray("samples").add(2.0).add(4.0).add(3.0).add(7.0);
      time.put("mean", 4.0).put("error", 1.5).put("median", 3.5).put("min", 2.0).put("max", 7.0);
      ((ObjectNode) row.path("memory")).put("allocatedBytes", 1000.4).put("gen0", 500.0);
      row.putArray("parts").addObject().put("name", "Wire").put("unit", "KB").put("value", 1.5);
      ArrayNode forks = (ArrayNode) row.path("forks");
      forks.add(((ObjectNode) forks.get(0)).put("n", 2).deepCopy());
      ObjectNode failed = row.deepCopy();
      failed.putArray("parts");
      failed.put("status", "failed").put("reason", "it said \"no\",\nand ended");
      ((ObjectNode) failed.path("key")).put("method", "B");
      ((ObjectNode) failed.path("time")).putNull("mean");
      rows.add(failed);
      Path file = folder.resolve("run.json");
      Files.writeString(file, tree.toString());
      run = RunJson.read(file);
    }
  }

  @Test
  void csv_cellsWithCommasQuotesAndLines_areQuoted() {
    String csv = Export.CSV.render(run);

    assertThat(csv.split("\r\n", -1)).hasSize(4).endsWith("");
    List<List<String>> lines = parse(csv);
    List<String> head = lines.get(0);
    assertThat(lines).allSatisfy(line -> assertThat(line).hasSameSizeAs(head));
    assertThat(head)
        .startsWith("suite", "table", "method", "parameters.BufferSize")
        .contains("time.mean", "memory.allocatedBytes", "bound.times");
    assertThat(lines.get(1).get(head.indexOf("time.mean"))).isEqualTo("4.0");
    assertThat(lines.get(1).get(head.indexOf("parts.Wire"))).isEqualTo("1.5");
    assertThat(lines.get(2).get(head.indexOf("parts.Wire"))).isEmpty();
    assertThat(lines.get(2).get(head.indexOf("status"))).isEqualTo("failed");
    assertThat(lines.get(2).get(head.indexOf("reason"))).isEqualTo("it said \"no\",\nand ended");
    assertThat(lines.get(2).get(head.indexOf("time.mean"))).isEmpty();
  }

  @Test
  void benchmarkDotNet_rows_haveTheFieldsOfItsFullReport() throws Exception {
    JsonNode report = JSON.readTree(Export.BENCHMARK_DOT_NET.render(run));

    assertThat(names(report)).containsExactly("Title", "HostEnvironmentInfo", "Benchmarks");
    assertThat(names(report.path("HostEnvironmentInfo")))
        .contains("OsVersion", "ProcessorName", "LogicalCoreCount", "RuntimeVersion");
    assertThat(report.path("Benchmarks")).hasSize(1);
    JsonNode row = report.path("Benchmarks").get(0);
    assertThat(row.path("Method").asText()).isEqualTo("Default");
    assertThat(row.path("Parameters").asText()).isEqualTo("BufferSize=65536&UseCompression=False");
    assertThat(row.path("FullName").asText())
        .isEqualTo("file-transfer.download.Default(BufferSize: 65536, UseCompression: False)");
    JsonNode statistics = row.path("Statistics");
    assertThat(names(statistics))
        .containsExactly(
            "OriginalValues",
            "N",
            "Min",
            "LowerFence",
            "Q1",
            "Median",
            "Mean",
            "Q3",
            "UpperFence",
            "Max",
            "InterquartileRange",
            "LowerOutliers",
            "UpperOutliers",
            "AllOutliers",
            "StandardError",
            "Variance",
            "StandardDeviation",
            "Skewness",
            "Kurtosis",
            "ConfidenceInterval",
            "Percentiles");
    assertThat(statistics.path("OriginalValues").get(1).asDouble()).isEqualTo(4e6);
    assertThat(statistics.path("Mean").asDouble()).isCloseTo(4e6, within(1e-3));
    assertThat(statistics.path("ConfidenceInterval").path("Upper").asDouble())
        .isCloseTo(5.5e6, within(1e-3));
    assertThat(names(statistics.path("Percentiles")))
        .containsExactly("P0", "P25", "P50", "P67", "P80", "P85", "P90", "P95", "P100");
    assertThat(row.path("Memory"))
        .hasToString(
            "{\"Gen0Collections\":2,\"Gen1Collections\":0,\"Gen2Collections\":0,"
                + "\"TotalOperations\":4,\"BytesAllocatedPerOperation\":1000}");
    assertThat(row.path("Measurements")).hasSize(4);
    assertThat(row.path("Measurements").get(2))
        .hasToString(
            "{\"IterationMode\":\"Workload\",\"IterationStage\":\"Result\",\"LaunchIndex\":2,"
                + "\"IterationIndex\":1,\"Operations\":1,\"Nanoseconds\":3000000.0}");
  }

  @Test
  void jmh_rows_haveTheFieldsOfItsResults() throws Exception {
    JsonNode results = JSON.readTree(Export.JMH.render(run));

    assertThat(results).hasSize(1);
    JsonNode row = results.get(0);
    assertThat(names(row))
        .contains("jmhVersion", "mode", "threads", "warmupIterations", "measurementIterations");
    assertThat(row.path("benchmark").asText()).isEqualTo("file-transfer.download.Default");
    assertThat(row.path("forks").asInt()).isEqualTo(2);
    assertThat(row.path("params").path("BufferSize").asText()).isEqualTo("65536");
    JsonNode time = row.path("primaryMetric");
    assertThat(names(time))
        .containsExactlyInAnyOrder(
            "score", "scoreError", "scoreConfidence", "scorePercentiles", "scoreUnit", "rawData");
    assertThat(time.path("score").asDouble()).isEqualTo(4);
    assertThat(time.path("scoreUnit").asText()).isEqualTo("ms/op");
    assertThat(time.path("scoreConfidence")).hasToString("[2.5,5.5]");
    assertThat(time.path("scorePercentiles").path("100.0").asDouble()).isEqualTo(7);
    assertThat(time.path("rawData")).hasToString("[[2.0,4.0],[3.0,7.0]]");
    JsonNode heap = row.path("secondaryMetrics").path("gc.alloc.rate.norm");
    assertThat(heap.path("score").asDouble()).isEqualTo(1000.4);
    assertThat(heap.path("scoreError").asText()).isEqualTo("NaN");
  }

  private static List<String> names(JsonNode node) {
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }

  /** Reads CSV by the rules of RFC 4180. */
  private static List<List<String>> parse(String csv) {
    List<List<String>> lines = new ArrayList<>();
    List<String> line = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < csv.length(); i++) {
      char c = csv.charAt(i);
      if (quoted && c == '"' && csv.startsWith("\"\"", i)) {
        cell.append(c);
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (!quoted && (c == ',' || c == '\n')) {
        line.add(cell.toString().replaceFirst("\r$", ""));
        cell.setLength(0);
        if (c == '\n') {
          lines.add(line);
          line = new ArrayList<>();
        }
      } else {
        cell.append(c);
      }
    }
    return lines;
  }
}
