package dev.ferry.lab.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ferry.lab.model.RunDocument;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Renders the rows of a run as CSV (RFC 4180), with the names of {@code run.json} as headers. */
final class Csv {
  private static final String LINE_END = "\r\n";

  /** Columns that each row has, where its JSON has them. */
  private static final List<String> FIGURES =
      """
      baseline status reason setup.codec
      work.bytes work.wireBytes work.protocol work.encoding
      time.unit time.n time.mean time.error time.stdDev time.median time.min time.max
      time.ratio time.ratioStdDev
      comparison.verdict comparison.time.value comparison.time.low comparison.time.high
      cpu.millis
      memory.allocatedBytes memory.allocRatio memory.gen0 memory.gen1
      memory.heapPeakBytes memory.directPeakBytes
      bound.ceiling bound.times
      """
          .lines()
          .flatMap(line -> List.of(line.split(" ", -1)).stream())
          .toList();

  private Csv() {}

  static String render(RunDocument run) {
    JsonNode rows = RunJson.rows(run);
    Map<String, Function<JsonNode, JsonNode>> columns = columns(rows);
    StringBuilder out = new StringBuilder(line(List.copyOf(columns.keySet())));
    for (JsonNode row : rows) {
      out.append(line(columns.values().stream().map(cell -> cell.apply(row).asText("")).toList()));
    }
    return out.toString();
  }

  private static Map<String, Function<JsonNode, JsonNode>> columns(JsonNode rows) {
    Map<String, Function<JsonNode, JsonNode>> columns = new LinkedHashMap<>();
    for (String name : List.of("suite", "table", "method")) {
      columns.put(name, row -> row.path("key").path(name));
    }
    Set<String> parameters = new LinkedHashSet<>();
    Set<String> parts = new LinkedHashSet<>();
    for (JsonNode row : rows) {
      row.path("key").path("parameters").fieldNames().forEachRemaining(parameters::add);
      row.path("parts").forEach(part -> parts.add(part.path("name").asText()));
    }
    // The prefix keeps a parameter apart from a column of the same name.
    parameters.forEach(
        name ->
            columns.put(
                "parameters." + name, row -> row.path("key").path("parameters").path(name)));
    FIGURES.forEach(name -> columns.put(name, row -> row.at("/" + name.replace('.', '/'))));
    parts.forEach(name -> columns.put("parts." + name, row -> part(row, name)));
    return columns;
  }

  private static JsonNode part(JsonNode row, String name) {
    JsonNode value = row.path("no part");
    for (JsonNode part : row.path("parts")) {
      if (value.isMissingNode() && part.path("name").asText().equals(name)) {
        value = part.path("value");
      }
    }
    return value;
  }

  private static String line(List<String> cells) {
    return cells.stream().map(Csv::cell).collect(Collectors.joining(",", "", LINE_END));
  }

  private static String cell(String text) {
    return text.chars().anyMatch(c -> c == '"' || c == ',' || c == '\r' || c == '\n')
        ? "\"" + text.replace("\"", "\"\"") + "\""
        : text;
  }
}
