package dev.ferry.suites.calls;

import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Table;
import java.util.List;

/**
 * Log records, files and users, in sequence and in parallel; repeats the reference's comparison of
 * what back-ends do all day. docs/bench/calls.md says what each method is.
 *
 * <p>Run it with {@code ./ferry bench --suite tasks}.
 */
public final class TasksSuite extends Suite {
  /** How many operations are under way at once in the parallel tables. */
  static final int WORKERS = 16;

  private final List<TaskTable> tables =
      List.of(
          new LogsTable(LogsTable.Kind.SEQUENTIAL),
          new LogsTable(LogsTable.Kind.PARALLEL),
          new LogsTable(LogsTable.Kind.DISTANCE),
          new FilesTable(false),
          new FilesTable(true),
          new UsersTable());

  /** One of the tables, and what its rows do. */
  interface TaskTable {
    /** The rows. */
    Table table();

    /** Makes a row. */
    RowSpec row(RowKey key);
  }

  /** For {@link java.util.ServiceLoader}. */
  public TasksSuite() {
    super("tasks", "log records, files and users, in sequence and " + WORKERS + " at once");
  }

  @Override
  public List<Table> tables() {
    return tables.stream().map(TaskTable::table).toList();
  }

  @Override
  public RowSpec row(RowKey key) {
    return tables.stream()
        .filter(t -> t.table().name().equals(key.table()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(key + " is in no table of " + name()))
        .row(key);
  }
}
