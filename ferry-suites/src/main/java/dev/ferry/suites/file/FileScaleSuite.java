package dev.ferry.suites.file;

import dev.ferry.core.TransferOptions;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Parameter;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.RowSpec.Bounds;
import dev.ferry.lab.suite.RowSpec.Work;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Table;
import dev.ferry.suites.rival.TransferClient;
import dev.ferry.suites.rival.grpcjava.StockMethod;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Moves files from a kibibyte to two gibibytes, and up to 64 of them at once; shows what the tables
 * of one file of one size cannot. The ceilings are measured with every size and number of files, so
 * that each row shows what it costs more than bare sockets at that size.
 *
 * <p>Run it with {@code ./ferry bench --suite file-scale}.
 */
public class FileScaleSuite extends Suite {
  private static final String SIZES = "sizes-";
  private static final String CONCURRENCY = "concurrency-";
  private static final String FILE_SIZE = "FileSize";
  private static final String TRANSFERS = "Transfers";
  private static final String CHANNELS = "Channels";

  /** Size of the default file, which is also that of files of transfers at once. */
  private static final long DEFAULT_BYTES = 25_060_966;

  /** Samples of less than this many bytes would be too short for the clock: files are repeated. */
  private static final long LEAST_BYTES = 4 << 20;

  /** Even the smallest files take some milliseconds together. */
  private static final int MOST_IN_TURN = 32;

  /** More connections than a server takes from one address would be refused. */
  private static final int MOST_AT_ONCE = 1_000;

  private static final Parameter.Reader COUNTS = FileScaleSuite::count;

  private static final int CHUNK = TransferOptions.DEFAULT.chunkSize();

  private static final List<String> METHODS =
      List.of(FileTransports.ZERO_COPY, StockMethod.DEFAULT.label(), FileTransports.HTTP_CLIENT);

  private final long bytesAtOnce;

  public FileScaleSuite() {
    this("file-scale", DEFAULT_BYTES);
  }

  /**
   * Creates a suite of the same tables.
   *
   * @param bytesAtOnce the size of each file of transfers at once
   */
  FileScaleSuite(String name, long bytesAtOnce) {
    super(name, "files of many sizes, and many at once, in chunks of " + CHUNK + " bytes");
    this.bytesAtOnce = bytesAtOnce;
  }

  @Override
  public List<Table> tables() {
    List<Table> tables = new ArrayList<>();
    for (Direction direction : Direction.values()) {
      tables.add(
          table(
              SIZES + direction.table(),
              new Parameter(
                  FILE_SIZE,
                  List.of(
                      "1024",
                      "65536",
                      "1048576",
                      Long.toString(DEFAULT_BYTES),
                      "268435456",
                      "2147483648"))));
    }
    for (Direction direction : Direction.values()) {
      // One table in two parts: eight channels for fewer transfers would be idle channels.
      String name = CONCURRENCY + direction.table();
      tables.add(table(name, counts(TRANSFERS, "1", "4", "16", "64"), counts(CHANNELS, "1")));
      tables.add(table(name, counts(TRANSFERS, "16", "64"), counts(CHANNELS, "8")));
    }
    return tables;
  }

  private static Parameter counts(String name, String... values) {
    return new Parameter(name, List.of(values), COUNTS);
  }

  private static String count(String text) {
    int count = text.matches("\\d{1,4}") ? Integer.parseInt(text) : 0;
    if (count < 1 || count > MOST_AT_ONCE) {
      throw new IllegalArgumentException(
          "'%s' is not a number of transfers or channels; give 1 to %d"
              .formatted(text, MOST_AT_ONCE));
    }
    return Integer.toString(count);
  }

  private static Table table(String name, Parameter... parameters) {
    return new Table(name, List.of(parameters), METHODS, FileTransports.HTTP_CLIENT);
  }

  private Load load(RowKey row) {
    if (row.table().startsWith(CONCURRENCY)) {
      return Load.files(bytesAtOnce, 1, row.intParameter(TRANSFERS));
    }
    long bytes = row.longParameter(FILE_SIZE);
    int inTurn = (int) Math.max(1, Math.min(MOST_IN_TURN, LEAST_BYTES / bytes));
    return Load.files(bytes, inTurn, 1);
  }

  private static FileTransport transport(RowKey row) {
    if (row.method().equals(FileTransports.HTTP_CLIENT)) {
      return FileTransports.httpClient(row);
    }
    return row.method().equals(FileTransports.ZERO_COPY)
        ? FileTransports.zeroCopy(row)
        : FileTransports.grpcDefault(row);
  }

  @Override
  public RowSpec row(RowKey key) {
    FileTransport transport = transport(key);
    Direction direction = Direction.of(key.table());
    Load load = load(key);
    int channels = key.table().startsWith(CONCURRENCY) ? key.intParameter(CHANNELS) : 1;
    return new RowSpec(
        key,
        transport.promise(null),
        Work.of(load, null),
        transport.needs(null, null),
        Bounds.of(direction.ceilings()),
        workplace -> transport.startServer(workplace, CHUNK, false),
        (workplace, port) -> {
          List<TransferClient> carriers = new ArrayList<>();
          try {
            for (int i = 0; i < channels; i++) {
              carriers.add(transport.startClient(workplace, port));
            }
            return new TransferOperation(
                carriers, load, direction, TransferOptions.DEFAULT.withVerify(false), workplace);
          } catch (IOException | RuntimeException e) {
            carriers.forEach(TransferClient::close);
            throw e;
          }
        });
  }
}
