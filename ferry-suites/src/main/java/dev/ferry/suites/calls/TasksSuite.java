package dev.ferry.suites.calls;

import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.suite.Operation;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Table;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Log records, files and users, in sequence and in parallel; repeats the reference's comparison of
 * what back-ends do all day. docs/tasks.md says what each method is.
 *
 * <p>Run it with {@code ./ferry bench --suite tasks}.
 */
public final class TasksSuite implements Suite {
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

    /** Returns the load of a sample. */
    Load load(RowKey row);

    /** How long an operation is expected to take, alone. */
    Duration expected(RowKey row);

    /** Adapts the profile to a row. */
    default Settings settings(RowKey row, Settings profile) {
      return load(row).of(profile);
    }

    /** Returns the negotiated protocol. */
    String protocol(RowKey row);

    /** What bounds a row. */
    default List<CeilingName> ceilings(RowKey row) {
      return List.of();
    }

    /** Flags of the row's JVM. */
    default List<String> flags(RowKey row) {
      return List.of();
    }

    /** Starts the server. */
    RowServer server(RowKey row, Workplace workplace) throws IOException;

    /** Starts the client. */
    Operation client(RowKey row, Workplace workplace, int port) throws IOException;
  }

  private TaskTable table(RowKey row) {
    return tables.stream()
        .filter(t -> t.table().name().equals(row.table()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(row + " is in no table of " + name()));
  }

  @Override
  public String name() {
    return "tasks";
  }

  @Override
  public String description() {
    return "log records, files and users, in sequence and " + WORKERS + " at once";
  }

  @Override
  public List<Table> tables() {
    return tables.stream().map(TaskTable::table).toList();
  }

  @Override
  public Load load(RowKey row) {
    return table(row).load(row);
  }

  @Override
  public Settings settings(RowKey row, Settings profile) {
    return table(row).settings(row, profile);
  }

  @Override
  public Duration expected(RowKey row) {
    return table(row).expected(row);
  }

  @Override
  public List<String> flags(RowKey row) {
    return table(row).flags(row);
  }

  @Override
  public List<CeilingName> ceilings(RowKey row) {
    return table(row).ceilings(row);
  }

  @Override
  public Promise promise(RowKey row) {
    return new Promise(table(row).protocol(row), "identity", Codec.NONE, 1);
  }

  @Override
  public RowServer openServer(RowKey row, Workplace workplace) throws IOException {
    return table(row).server(row, workplace);
  }

  @Override
  public Operation openClient(RowKey row, Workplace workplace, int port) throws IOException {
    return table(row).client(row, workplace, port);
  }
}
