package dev.ferry.lab.report;

import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.network.NetworkRun;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Groups the rows of a run into tables. */
final class Tables {
  /** The order in which the answer ranks rows. Rows without a time come last. */
  static final Comparator<Row> FASTEST_FIRST =
      Comparator.comparing(Row::typicalTime, Comparator.nullsLast(Comparator.naturalOrder()));

  private Tables() {}

  /**
   * One table of a suite.
   *
   * @param suite the name of the suite
   * @param name the name of the table
   * @param groups the rivals at each setting
   * @param byTime whether rows are sorted by time across settings
   * @param rttMillis the measured round-trip time of the network in milliseconds; null without one
   */
  record Section(
      String suite,
      String name,
      List<List<Row>> groups,
      boolean byTime,
      @Nullable Double rttMillis) {
    /** Returns the rows in display order, as blocks separated by a gap. */
    List<List<Row>> blocks() {
      return byTime ? List.of(sorted(rows())) : groups;
    }

    List<Row> rows() {
      return groups.stream().flatMap(List::stream).toList();
    }

    /** Returns the parameter names in the order of the columns. */
    List<String> parameters() {
      return groups.isEmpty() ? List.of() : List.copyOf(groups.get(0).get(0).parameters().keySet());
    }
  }

  /** Returns the tables of a run in their order. */
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
    boolean byTime = run.byTime().contains(table.tableName());
    return new Section(table.suite(), table.table(), groups, byTime, rttMillis(run.network()));
  }

  private static @Nullable Double rttMillis(@Nullable NetworkRun network) {
    return network == null || network.calibrations().isEmpty()
        ? null
        : (Double) network.calibrations().get(0).rttP50Millis();
  }

  /** Sorts rows by time. Rows without a time come last. */
  private static List<Row> sorted(List<Row> rows) {
    return rows.stream()
        .sorted(
            Comparator.comparing(
                r -> r.time().mean(), Comparator.nullsLast(Comparator.naturalOrder())))
        .toList();
  }
}
