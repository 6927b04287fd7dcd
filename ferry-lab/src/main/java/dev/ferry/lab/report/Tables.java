package dev.ferry.lab.report;

import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The rows of a run as tables of groups. */
final class Tables {
  private Tables() {}

  /**
   * One table of a suite.
   *
   * @param suite the suite's name
   * @param name the table's name
   * @param groups rivals at one setting
   * @param byTime whether rows are shown in the order of their times, settings mixed
   */
  record Section(String suite, String name, List<List<Row>> groups, boolean byTime) {
    /** The rows as they are shown: blocks with a gap between them. */
    List<List<Row>> blocks() {
      return byTime ? List.of(sorted(rows())) : groups;
    }

    List<Row> rows() {
      return groups.stream().flatMap(List::stream).toList();
    }

    /** Names of the parameters, in the order of the columns. */
    List<String> parameters() {
      return groups.isEmpty() ? List.of() : List.copyOf(groups.get(0).get(0).parameters().keySet());
    }
  }

  /** The tables of a run, in its order. */
  static List<Section> of(RunDocument run) {
    List<RowKey> tables = new ArrayList<>();
    for (Row row : run.rows()) {
      RowKey table = tableOf(row);
      if (!tables.contains(table)) {
        tables.add(table);
      }
    }
    return tables.stream().map(t -> section(run, t)).toList();
  }

  private static RowKey tableOf(Row row) {
    return new RowKey(row.key().suite(), row.key().table(), "", Map.of());
  }

  private static Section section(RunDocument run, RowKey table) {
    List<Row> rows = run.rows().stream().filter(r -> tableOf(r).equals(table)).toList();
    List<List<Row>> groups = new ArrayList<>();
    for (Row row : rows) {
      List<Row> last = groups.isEmpty() ? null : groups.get(groups.size() - 1);
      if (last == null || !last.get(0).key().sameGroup(row.key())) {
        last = new ArrayList<>();
        groups.add(last);
      }
      last.add(row);
    }
    boolean byTime = run.byTime().contains(table.suite() + "/" + table.table());
    return new Section(table.suite(), table.table(), groups, byTime);
  }

  /** By their times; those without one at the end. */
  private static List<Row> sorted(List<Row> rows) {
    return rows.stream()
        .sorted(
            Comparator.comparing(
                r -> r.time().mean(), Comparator.nullsLast(Comparator.naturalOrder())))
        .toList();
  }
}
