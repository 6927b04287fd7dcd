package dev.ferry.flight;

import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.ServerHost;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Table;
import dev.ferry.suites.file.FileTransferSuite;
import dev.ferry.suites.file.TransferOperation;
import java.util.List;

/**
 * Implements the Flight rows of {@link FileTransferSuite}. Outside the JVMs of these rows, that
 * suite represents it.
 */
public final class FlightSuite extends Suite {
  private static final String HOST = ServerHost.name();
  private static final String BUFFER_SIZE = "BufferSize";

  /** For {@link java.util.ServiceLoader}. */
  public FlightSuite() {
    super(FileTransferSuite.NAME, "one file over Arrow Flight");
  }

  /** Returns no tables, because the other suite has them. */
  @Override
  public List<Table> tables() {
    return List.of();
  }

  @Override
  public RowSpec row(RowKey key) {
    FlightMethod method = FlightMethod.of(key.method());
    int bufferSize = key.intParameter(BUFFER_SIZE);
    return new RowSpec(
        key,
        RowSpec.Promise.identity("h2c", 1),
        RowSpec.Work.FILE,
        RowSpec.Needs.NONE,
        RowSpec.Bounds.NONE,
        workplace -> {
          FlightFilesServer server =
              FlightFilesServer.start(
                  LocalFileStore.open(workplace.store()), HOST, method, bufferSize);
          return RowServer.of(server.port(), server);
        },
        (workplace, port) ->
            new TransferOperation(
                List.of(FlightFilesClient.connect(HOST, port, method)),
                null,
                Direction.of(key.table()),
                TransferOptions.DEFAULT.withChunkSize(bufferSize).withVerify(false),
                workplace));
  }
}
