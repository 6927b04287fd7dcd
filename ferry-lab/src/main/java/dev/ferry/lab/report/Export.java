package dev.ferry.lab.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ferry.lab.model.RunDocument;
import java.util.function.Function;

/** A format of other tools in which a run can be written. */
public enum Export {
  /** Comma-separated values (RFC 4180), a line for each row. */
  CSV(Csv::render),
  /** The full JSON report of BenchmarkDotNet, with the measured rows. */
  BENCHMARK_DOT_NET(run -> text(BenchmarkDotNetJson.render(run))),
  /** The JSON results of JMH, with the measured rows. */
  JMH(run -> text(JmhJson.render(run)));

  private final Function<RunDocument, String> format;

  Export(Function<RunDocument, String> format) {
    this.format = format;
  }

  /** Returns the run in this format. */
  public String render(RunDocument run) {
    return format.apply(run);
  }

  private static String text(JsonNode tree) {
    try {
      return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(tree) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree is always JSON", e);
    }
  }
}
