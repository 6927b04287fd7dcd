package dev.ferry.lab.suite;

import dev.ferry.lab.model.RowKey;
import java.util.List;

/**
 * One comparison: tables as data, and the implementation of each row.
 *
 * @implSpec {@link java.util.ServiceLoader} loads suites in the process of the command and in every
 *     fork, so an implementation has a public constructor without parameters and no state.
 */
public interface Suite {
  /** Returns the name in {@code --suite}: lower-case letters, digits and dashes. */
  String name();

  /** Returns a one-line description of the comparison. */
  String description();

  /** Returns the tables in the order of the report. */
  List<Table> tables();

  /**
   * Returns whether a row is one of this suite, with the values of its tables or with others that a
   * user may give.
   */
  default boolean has(RowKey row) {
    return tables().stream().anyMatch(table -> table.allows(row));
  }

  /** Makes a row of this suite, which is no A/A row. */
  RowSpec row(RowKey key);

  /**
   * Returns whether the rows only mean something over a network. Over the loopback they are not
   * run.
   */
  default boolean needsNetwork() {
    return false;
  }
}
