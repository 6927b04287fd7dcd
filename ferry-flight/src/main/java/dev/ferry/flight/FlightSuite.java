package dev.ferry.flight;

import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Operation;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.ServerHost;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Table;
import dev.ferry.lab.suite.Workplace;
import dev.ferry.suites.file.FileTransferSuite;
import dev.ferry.suites.file.TransferOperation;
import java.io.IOException;
import java.util.List;

/**
 * Implements the Flight rows of {@link FileTransferSuite}. Outside the JVMs of these rows, that
 * suite represents it.
 */
public final class FlightSuite implements Suite {
  private static final String HOST = ServerHost.name();
  private static final String BUFFER_SIZE = "BufferSize";

  @Override
  public String name() {
    return FileTransferSuite.NAME;
  }

  @Override
  public String description() {
    return "one file over Arrow Flight";
  }

  /** Returns no tables, because the other suite has them. */
  @Override
  public List<Table> tables() {
    return List.of();
  }

  @Override
  public Promise promise(RowKey row) {
    return new Promise("h2c", "identity", Codec.NONE, 1);
  }

  @Override
  public RowServer openServer(RowKey row, Workplace workplace) throws IOException {
    FlightFilesServer server =
        FlightFilesServer.start(
            LocalFileStore.open(workplace.store()),
            HOST,
            FlightMethod.of(row.method()),
            row.intParameter(BUFFER_SIZE));
    return RowServer.of(server.port(), server);
  }

  @Override
  public Operation openClient(RowKey row, Workplace workplace, int port) throws IOException {
    return new TransferOperation(
        List.of(FlightFilesClient.connect(HOST, port, FlightMethod.of(row.method()))),
        null,
        Direction.of(row.table()),
        TransferOptions.DEFAULT.withChunkSize(row.intParameter(BUFFER_SIZE)).withVerify(false),
        workplace);
  }
}
