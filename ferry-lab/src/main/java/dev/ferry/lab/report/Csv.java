package dev.ferry.lab.report;

import dev.ferry.lab.model.Interval;
import dev.ferry.lab.model.Part;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RunDocument;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Renders the rows of a run as CSV (RFC 4180), with the names of {@code run.json} as headers. */
final class Csv {
  private static final String LINE_END = "\r\n";

  private Csv() {}

  static String render(RunDocument run) {
    Map<String, Function<Row, @Nullable Object>> columns = columns(run);
    StringBuilder out = new StringBuilder(line(List.copyOf(columns.keySet())));
    for (Row row : run.rows()) {
      List<@Nullable Object> cells = new ArrayList<>();
      columns.values().forEach(cell -> cells.add(cell.apply(row)));
      out.append(line(cells));
    }
    return out.toString();
  }

  private static Map<String, Function<Row, @Nullable Object>> columns(RunDocument run) {
    Map<String, Function<Row, @Nullable Object>> columns = new LinkedHashMap<>();
    columns.put("suite", r -> r.key().suite());
    columns.put("table", r -> r.key().table());
    columns.put("method", Row::method);
    Set<String> parameters = new LinkedHashSet<>();
    run.rows().forEach(r -> parameters.addAll(r.parameters().keySet()));
    // The prefix keeps a parameter apart from a column of the same name.
    parameters.forEach(p -> columns.put("parameters." + p, r -> r.parameters().get(p)));
    columns.put("baseline", Row::baseline);
    columns.put("status", r -> r.status().name().toLowerCase(Locale.ROOT));
    columns.put("reason", Row::reason);
    columns.put("setup.codec", r -> r.setup().codec());
    columns.put("work.bytes", r -> r.work().bytes());
    columns.put("work.wireBytes", r -> r.work().wireBytes());
    columns.put("work.protocol", r -> r.work().protocol());
    columns.put("work.encoding", r -> r.work().encoding());
    columns.put("time.unit", r -> r.time().unit());
    columns.put("time.n", r -> r.time().n());
    columns.put("time.mean", r -> r.time().mean());
    columns.put("time.error", r -> r.time().error());
    columns.put("time.stdDev", r -> r.time().stdDev());
    columns.put("time.median", r -> r.time().median());
    columns.put("time.min", r -> r.time().min());
    columns.put("time.max", r -> r.time().max());
    columns.put("time.ratio", r -> r.time().ratio());
    columns.put("time.ratioStdDev", r -> r.time().ratioStdDev());
    columns.put(
        "comparison.verdict",
        r -> r.comparison() == null ? null : r.comparison().verdict().label());
    columns.put("comparison.time.value", r -> ratio(r, Interval::value));
    columns.put("comparison.time.low", r -> ratio(r, Interval::low));
    columns.put("comparison.time.high", r -> ratio(r, Interval::high));
    columns.put("cpu.millis", r -> r.cpu().millis());
    columns.put("memory.allocatedBytes", r -> r.memory().allocatedBytes());
    columns.put("memory.allocRatio", r -> r.memory().allocRatio());
    columns.put("memory.gen0", r -> r.memory().gen0());
    columns.put("memory.gen1", r -> r.memory().gen1());
    columns.put("memory.heapPeakBytes", r -> r.memory().heapPeakBytes());
    columns.put("memory.directPeakBytes", r -> r.memory().directPeakBytes());
    columns.put("bound.ceiling", r -> r.bound().ceiling());
    columns.put("bound.times", r -> r.bound().times());
    Set<String> parts = new LinkedHashSet<>();
    run.rows().forEach(r -> r.parts().forEach(p -> parts.add(p.name())));
    parts.forEach(name -> columns.put("parts." + name, r -> part(r, name)));
    return columns;
  }

  private static @Nullable Double part(Row row, String name) {
    return row.parts().stream()
        .filter(p -> p.name().equals(name))
        .map(Part::value)
        .findFirst()
        .orElse(null);
  }

  private static @Nullable Double ratio(Row row, Function<Interval, Double> end) {
    Interval time = row.comparison() == null ? null : row.comparison().time();
    return time == null ? null : end.apply(time);
  }

  private static String line(List<? extends @Nullable Object> cells) {
    return cells.stream().map(Csv::cell).collect(Collectors.joining(",", "", LINE_END));
  }

  /** Returns a cell, quoted if it needs to be. A figure that is not known is an empty cell. */
  private static String cell(@Nullable Object value) {
    String text = value == null ? "" : value.toString();
    return text.chars().anyMatch(c -> c == '"' || c == ',' || c == '\r' || c == '\n')
        ? "\"" + text.replace("\"", "\"\"") + "\""
        : text;
  }
}
