package dev.ferry.suites;

import dev.ferry.core.Round;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Suite;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Rows of tables for tests that run each of them. */
public final class TableRows {
  /** What differs only in direction, size of replies or number at once is one pair of tables. */
  private static final String VARIANT =
      "-?(download|upload|small|large|plain|tls|sequential|parallel|distance)$";

  private TableRows() {}

  /**
   * By default so many that each table has a row, each suite one of each method, and each pair of
   * tables one of each value of a parameter; all of them in a thorough run.
   */
  public static Stream<RowKey> of(List<Suite> suites, Predicate<RowKey> wanted) {
    return Round.some(
        suites.stream()
            .flatMap(suite -> suite.tables().stream().map(table -> table.groups(suite.name())))
            .flatMap(List::stream)
            .flatMap(List::stream)
            .filter(wanted)
            .toList(),
        TableRows::options);
  }

  private static List<?> options(RowKey row) {
    String pair = row.table().replaceFirst(VARIANT, "");
    return Stream.concat(
            Stream.of(List.of(row.suite(), row.table()), List.of(row.suite(), row.method())),
            row.parameters().values().stream().map(value -> List.of(row.suite(), pair, value)))
        .toList();
  }
}
