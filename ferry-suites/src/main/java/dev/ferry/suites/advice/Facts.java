package dev.ferry.suites.advice;

import dev.ferry.lab.model.Comparison;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.stats.Comparisons;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The rows of a run as the rules see them. */
final class Facts {
  private final RunDocument run;
  private final Criteria criteria;

  Facts(RunDocument run) {
    this.run = run;
    this.criteria = run.criteriaOrDefault();
  }

  RunDocument run() {
    return run;
  }

  /**
   * Returns the measured rows of a table at the setting that is nearest to what users have: chunks
   * of 64 KiB, not compressed.
   *
   * @param table the name of the table, in any suite
   */
  List<Row> rows(String table) {
    Map<Map<String, String>, List<Row>> settings =
        run.rows().stream()
            .filter(r -> r.key().table().equals(table) && r.measured() && !r.isControl())
            .collect(
                Collectors.groupingBy(Row::parameters, LinkedHashMap::new, Collectors.toList()));
    return settings.entrySet().stream()
        .filter(s -> s.getKey().getOrDefault("BufferSize", "65536").equals("65536"))
        .findFirst()
        .map(Map.Entry::getValue)
        .orElseGet(() -> settings.values().stream().findFirst().orElse(List.of()));
  }

  /** Returns the row of a method in a table, at the same setting as {@link #rows}. */
  Optional<Row> row(String table, String method) {
    return rows(table).stream().filter(r -> r.method().equals(method)).findFirst();
  }

  Comparison compare(Row row, Row other) {
    return Comparisons.compare(row, other, true, criteria);
  }

  /** Compares two rows although their codecs differ, for the question whether to compress. */
  Comparison compareCodecs(Row row, Row other) {
    return Comparisons.compareCodecs(row, other, criteria);
  }
}
