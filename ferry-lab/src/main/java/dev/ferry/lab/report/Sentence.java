package dev.ferry.lab.report;

import dev.ferry.lab.model.Row;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Summarizes a table in one sentence. It states a difference only if the 99.9 % confidence
 * intervals do not overlap.
 */
final class Sentence {
  private Sentence() {}

  static String of(Tables.Section table) {
    Set<String> methods = new LinkedHashSet<>();
    table.rows().stream().filter(r -> !r.isBaseline()).forEach(r -> methods.add(r.method()));
    List<String> clauses =
        methods.stream().map(m -> clause(table, m)).flatMap(Optional::stream).toList();
    return clauses.isEmpty()
        ? "In " + table.name() + " there is nothing to compare."
        : "In " + table.name() + ", " + join(clauses) + ".";
  }

  private static String join(List<String> clauses) {
    int last = clauses.size() - 1;
    return last == 0
        ? clauses.get(0)
        : String.join("; ", clauses.subList(0, last)) + "; and " + clauses.get(last);
  }

  private static Optional<String> clause(Tables.Section table, String method) {
    List<Row> different = new ArrayList<>();
    List<Row> same = new ArrayList<>();
    String baseline = "";
    for (List<Row> group : table.groups()) {
      Optional<Row> base = group.stream().filter(r -> r.isBaseline() && r.measured()).findFirst();
      Optional<Row> row =
          group.stream()
              .filter(r -> r.method().equals(method) && r.measured() && r.time().ratio() != null)
              .findFirst();
      if (base.isPresent() && row.isPresent()) {
        baseline = base.get().method();
        (distinguishable(row.get(), base.get()) ? different : same).add(row.get());
      }
    }
    if (different.isEmpty() && same.isEmpty()) {
      return Optional.empty();
    }
    if (different.isEmpty()) {
      return Optional.of(
          "%s is not distinguishable from %s at %s"
              .formatted(method, baseline, settings(same, table)));
    }
    String claim =
        "%s needs %s times %s's time at %s"
            .formatted(method, ratios(different), baseline, settings(different, table));
    return Optional.of(
        same.isEmpty() ? claim : claim + " and is not distinguishable at " + settings(same, table));
  }

  /** Returns whether the 99.9 % confidence intervals of two means do not overlap. */
  static boolean distinguishable(Row a, Row b) {
    Double meanA = a.time().mean();
    Double meanB = b.time().mean();
    Double errorA = a.time().error();
    Double errorB = b.time().error();
    return meanA != null
        && meanB != null
        && errorA != null
        && errorB != null
        && Math.abs(meanA - meanB) > errorA + errorB;
  }

  private static String ratios(List<Row> rows) {
    List<String> sorted =
        rows.stream()
            .map(r -> r.time().ratio())
            .flatMap(r -> Optional.ofNullable(r).stream())
            .sorted()
            .map(r -> String.format(Locale.ROOT, "%.2f", r))
            .toList();
    String least = sorted.get(0);
    String greatest = sorted.get(sorted.size() - 1);
    return least.equals(greatest) ? least : least + " to " + greatest;
  }

  private static String settings(List<Row> rows, Tables.Section table) {
    if (rows.size() > 2) {
      return (rows.size() == table.groups().size() ? "all " : "") + rows.size() + " settings";
    }
    return rows.stream().map(Sentence::setting).collect(Collectors.joining(" and "));
  }

  private static String setting(Row row) {
    return row.parameters().isEmpty()
        ? "its only setting"
        : row.parameters().entrySet().stream()
            .map(e -> e.getKey() + " " + Cells.parameter(e.getValue()))
            .collect(Collectors.joining(", "));
  }
}
