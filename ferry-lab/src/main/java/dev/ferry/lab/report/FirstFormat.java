package dev.ferry.lab.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ferry.lab.model.RunDocument;
import java.util.List;
import java.util.Map;

/** Reads runs of the first format, {@value #SCHEMA}. Its rows had all fields at one level. */
final class FirstFormat {
  static final String SCHEMA = "ferry-run/1";

  /** The fields of each part, by their names in the first format. */
  private static final Map<String, List<String>> PARTS =
      Map.of(
          "key", List.of("suite", "table", "method", "parameters"),
          "setup", List.of("codec", "load", "processes", "flags"),
          "work", List.of("bytes", "wireBytes", "protocol", "encoding", "digestChecked"),
          "time",
              List.of(
                  "unit",
                  "n",
                  "samples",
                  "mean",
                  "error",
                  "stdDev",
                  "median",
                  "min",
                  "max",
                  "ratio",
                  "ratioStdDev"),
          "cpu", List.of("cpuMillis", "switches"),
          "memory",
              List.of(
                  "allocatedBytes",
                  "allocRatio",
                  "gen0",
                  "gen1",
                  "heapPeakBytes",
                  "directPeakBytes"),
          "bound", List.of("ceiling", "timesCeiling"));

  /** Fields that were renamed. */
  private static final Map<String, String> RENAMED =
      Map.of("cpuMillis", "millis", "timesCeiling", "times");

  private FirstFormat() {}

  /** Converts a document of the first format to the current format, in place. */
  static void upgrade(JsonNode run) {
    ((ObjectNode) run).put("schema", RunDocument.SCHEMA);
    for (JsonNode row : run.path("rows")) {
      if (row instanceof ObjectNode fields) {
        PARTS.forEach((part, names) -> move(fields, part, names));
      }
    }
  }

  private static void move(ObjectNode row, String part, List<String> names) {
    ObjectNode target = row.objectNode();
    for (String name : names) {
      JsonNode value = row.remove(name);
      if (value != null) {
        target.set(RENAMED.getOrDefault(name, name), value);
      }
    }
    row.set(part, target);
  }
}
