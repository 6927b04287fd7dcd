package dev.ferry.lab.suite;

import dev.ferry.lab.model.RowKey;
import java.util.List;

/**
 * One comparison: tables as data, and the implementation of each row.
 *
 * @implSpec {@link java.util.ServiceLoader} loads suites in the process of the command and in every
 *     fork, so an implementation has a public constructor without parameters and no state.
 */
public abstract class Suite {
  private final String name;
  private final String description;

  /**
   * @param name in {@code --suite}: lower-case letters, digits and dashes
   * @param description of the comparison, one line
   */
  protected Suite(String name, String description) {
    this.name = name;
    this.description = description;
  }

  /** Returns the name in {@code --suite}. */
  public final String name() {
    return name;
  }

  /** Returns a one-line description of the comparison. */
  public final String description() {
    return description;
  }

  /** Returns the tables in the order of the report. */
  public abstract List<Table> tables();

  /**
   * Returns whether a row is one of this suite, with the values of its tables or with others that a
   * user may give.
   */
  public boolean has(RowKey row) {
    return tables().stream().anyMatch(table -> table.allows(row));
  }

  /** Makes a row of this suite, which is no A/A row. */
  public abstract RowSpec row(RowKey key);

  /**
   * Returns whether the rows only mean something over a network. Over the loopback they are not
   * run.
   */
  public boolean needsNetwork() {
    return false;
  }
}
