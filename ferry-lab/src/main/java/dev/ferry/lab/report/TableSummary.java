package dev.ferry.lab.report;

import dev.ferry.lab.model.Comparison;
import dev.ferry.lab.model.Interval;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.Verdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Summarizes a table: the verdicts on each method, with their sizes and settings. */
final class TableSummary {
  private TableSummary() {}

  static String of(Tables.Section table) {
    Map<String, List<Row>> methods =
        table.rows().stream()
            .filter(r -> r.comparison() != null)
            .collect(Collectors.groupingBy(Row::method, LinkedHashMap::new, Collectors.toList()));
    return methods.isEmpty()
        ? "In " + table.name() + " there is nothing to compare."
        : methods.entrySet().stream()
            .map(e -> e.getKey() + " is " + clauses(e.getValue(), table))
            .collect(Collectors.joining(". ", "In " + table.name() + ": ", "."));
  }

  /** Returns one clause for each verdict on a method. */
  private static String clauses(List<Row> rows, Tables.Section table) {
    Map<Verdict, List<Row>> verdicts =
        rows.stream()
            .collect(
                Collectors.groupingBy(
                    r -> comparison(r).verdict(), LinkedHashMap::new, Collectors.toList()));
    return verdicts.values().stream()
        .map(some -> VerdictText.of(merged(some)) + settings(some, table))
        .collect(Collectors.joining("; "));
  }

  /** Returns one comparison whose interval covers those of all rows, which have one verdict. */
  private static Comparison merged(List<Row> rows) {
    Comparison first = comparison(rows.get(0));
    List<Interval> times =
        rows.stream().map(r -> comparison(r).time()).flatMap(Stream::ofNullable).toList();
    @Nullable Interval time =
        times.size() < rows.size()
            ? null
            : new Interval(
                times.get(0).value(),
                times.stream().mapToDouble(Interval::low).min().orElseThrow(),
                times.stream().mapToDouble(Interval::high).max().orElseThrow());
    boolean common =
        first.verdict() == Verdict.NOT_COMPARABLE
            || rows.stream().allMatch(r -> Objects.equals(comparison(r).reason(), first.reason()));
    return new Comparison(
        first.with(), first.verdict(), common ? first.reason() : null, time, null, null, null);
  }

  private static Comparison comparison(Row row) {
    return Objects.requireNonNull(row.comparison());
  }

  private static String settings(List<Row> rows, Tables.Section table) {
    int all = table.groups().size();
    if (all == 1) {
      return "";
    }
    if (rows.size() > 2) {
      return " at " + (rows.size() == all ? "all " : "") + rows.size() + " settings";
    }
    return rows.stream()
        .map(TableSummary::setting)
        .collect(Collectors.joining(" and ", " at ", ""));
  }

  /** Returns the setting of a row, for instance {@code BufferSize 65536}. */
  static String setting(Row row) {
    return row.parameters().isEmpty()
        ? "its only setting"
        : row.parameters().entrySet().stream()
            .map(e -> e.getKey() + " " + Cells.parameter(e.getValue()))
            .collect(Collectors.joining(", "));
  }
}
