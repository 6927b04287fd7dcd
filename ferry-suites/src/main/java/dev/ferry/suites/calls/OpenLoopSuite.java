package dev.ferry.suites.calls;

import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.suite.Operation;
import dev.ferry.lab.suite.Parameter;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Table;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Log records and files that arrive at a constant rate, at 50, 70 and 90 % of what the row's own
 * client and server can do. The methods are those of {@link TasksSuite}; a thread waits for each
 * operation. docs/tasks.md says what each method is.
 *
 * <p>Run it with {@code ./ferry bench --suite open-loop}.
 */
public final class OpenLoopSuite implements Suite {
  private static final String LOGS = "logs";
  private static final String FILES = "files";
  private static final String LOAD = "Load";

  /** More operations than this at once wait for a worker. */
  private static final int WORKERS = 64;

  private static final int RECORDS = 4_000;
  private static final int FILE_COUNT = 640;
  private static final int FILE_BYTES = 1 << 20;
  private static final Duration EXPECTED_RECORD = Duration.ofNanos(200_000);
  private static final Duration EXPECTED_FILE = Duration.ofMillis(2);

  private final LogsTable logs = new LogsTable(LogsTable.Kind.SEQUENTIAL);
  private final FilesTable files = new FilesTable(true);

  private TasksSuite.TaskTable table(RowKey row) {
    return isLogs(row) ? logs : files;
  }

  private static boolean isLogs(RowKey row) {
    return row.table().equals(LOGS);
  }

  /** Returns the row of {@link TasksSuite} that does the same work. */
  private RowKey task(RowKey row) {
    return new RowKey(
        row.suite(),
        table(row).table().name(),
        row.method(),
        isLogs(row)
            ? Map.of()
            : Map.of(
                FilesTable.FILE_SIZE,
                Integer.toString(FILE_BYTES),
                FilesTable.DIGEST,
                FilesTable.NO_DIGEST));
  }

  @Override
  public String name() {
    return "open-loop";
  }

  @Override
  public String description() {
    return "log records and files at a constant rate, timed from their intended start";
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
  public Load load(RowKey row) {
    Load closed =
        isLogs(row) ? Load.calls(RECORDS, WORKERS) : new Load(FILE_BYTES, FILE_COUNT, 1, WORKERS);
    return closed.openLoop(row.intParameter(LOAD));
  }

  /** Large samples are no reason for fewer of them: they last a second. */
  @Override
  public Settings settings(RowKey row, Settings profile) {
    return profile;
  }

  @Override
  public Duration expected(RowKey row) {
    return isLogs(row) ? EXPECTED_RECORD : EXPECTED_FILE;
  }

  @Override
  public Promise promise(RowKey row) {
    return new Promise(table(row).protocol(task(row)), "identity", Codec.NONE, 1);
  }

  @Override
  public RowServer openServer(RowKey row, Workplace workplace) throws IOException {
    return table(row).server(task(row), workplace);
  }

  @Override
  public Operation openClient(RowKey row, Workplace workplace, int port) throws IOException {
    return isLogs(row)
        ? logs.client(task(row), port, true, RECORDS, RECORDS)
        : files.client(task(row), workplace, port);
  }
}
