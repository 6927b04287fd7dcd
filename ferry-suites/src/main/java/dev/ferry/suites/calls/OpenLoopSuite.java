package dev.ferry.suites.calls;

import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Parameter;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.RowSpec.Bounds;
import dev.ferry.lab.suite.RowSpec.Needs;
import dev.ferry.lab.suite.RowSpec.Work;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Table;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Log records and files that arrive at a constant rate, at 50, 70 and 90 % of what the row's own
 * client and server can do. The methods are those of {@link TasksSuite}; a thread waits for each
 * operation. docs/bench/calls.md says what each method is.
 *
 * <p>Run it with {@code ./ferry bench --suite open-loop}.
 */
public final class OpenLoopSuite extends Suite {
  private static final String LOGS = "logs";
  private static final String FILES = "files";
  private static final String LOAD = "Load";

  /** More operations than this at once wait for a worker. */
  private static final int WORKERS = 64;

  private static final int RECORDS = 4_000;
  private static final int FILE_COUNT = 640;
  private static final int FILE_BYTES = 1 << 20;
  private static final Map<String, String> FILE =
      Map.of(
          FilesTable.FILE_SIZE,
          Integer.toString(FILE_BYTES),
          FilesTable.DIGEST,
          FilesTable.NO_DIGEST);
  private static final Duration EXPECTED_RECORD = Duration.ofNanos(200_000);
  private static final Duration EXPECTED_FILE = Duration.ofMillis(2);

  private final LogsTable logs = new LogsTable(LogsTable.Kind.SEQUENTIAL);
  private final FilesTable files = new FilesTable(true);

  /** For {@link java.util.ServiceLoader}. */
  public OpenLoopSuite() {
    super("open-loop", "log records and files at a constant rate, timed from their intended start");
  }

  @Override
  public List<Table> tables() {
    return List.of(table(LOGS, logs.table()), table(FILES, files.table()));
  }

  private static Table table(String name, Table tasks) {
    return new Table(
            name,
            List.of(new Parameter(LOAD, List.of("50", "70", "90"))),
            tasks.methods(),
            tasks.baseline())
        .inMicros();
  }

  @Override
  public RowSpec row(RowKey key) {
    boolean ofLogs = key.table().equals(LOGS);
    RowSpec task = ofLogs ? logs.row(task(key, logs, Map.of())) : files.row(task(key, files, FILE));
    Load closed =
        ofLogs ? Load.calls(RECORDS, WORKERS) : new Load(FILE_BYTES, FILE_COUNT, 1, WORKERS);
    return new RowSpec(
        key,
        task.promise(),
        // Large samples are no reason for fewer of them: they last a second.
        Work.of(closed.openLoop(key.intParameter(LOAD)), ofLogs ? EXPECTED_RECORD : EXPECTED_FILE)
            .with(profile -> profile),
        Needs.NONE,
        Bounds.NONE,
        task.server(),
        ofLogs
            ? (workplace, port) -> logs.client(task.key(), port, true, RECORDS, RECORDS)
            : task.client());
  }

  /** Returns the row of {@link TasksSuite} that does the same work. */
  private static RowKey task(
      RowKey row, TasksSuite.TaskTable table, Map<String, String> parameters) {
    return new RowKey(row.suite(), table.table().name(), row.method(), parameters);
  }
}
