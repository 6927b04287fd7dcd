package dev.ferry.suites.file;

import dev.ferry.core.TransferOptions;
import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Parameter;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Table;
import dev.ferry.suites.rival.TransferClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Optional;

/** Copies the file locally, well and badly, so that the lab is tested without a network. */
public final class LocalCopySuite extends Suite {
  public static final String NAME = "local-copy";
  public static final String COPY = "Copy";
  public static final String CORRUPT = "Corrupt";
  public static final String MISLABELLED = "Mislabelled";
  public static final String ENDLESS = "Endless";
  public static final String ABSENT = "Absent";
  public static final String FLAGGED = "Flagged";
  public static final String FOREIGN = "Foreign";

  private static final String OTHER = "other-download";
  private static final String BUFFER_SIZE = "BufferSize";

  /** A buffer size of rows that nothing bounds. */
  private static final int UNBOUND = 1024;

  private static final String FLAG = "ferry.test.flagged";

  /** Needs two processes: an operation lasts until the server's process dies. */
  public static final String SILENT = "Silent";

  /** File in the store once such an operation has begun. */
  public static final String WAITING = "waiting";

  /** Its server does not start. */
  public static final String UNSERVED = "Unserved";

  /** For {@link java.util.ServiceLoader}. */
  public LocalCopySuite() {
    super(NAME, "a file copied on one disk");
  }

  @Override
  public List<Table> tables() {
    return List.of(
        new Table(
            Direction.DOWNLOAD.table(),
            List.of(new Parameter(BUFFER_SIZE, List.of("1024", "4096", "65536"))),
            List.of(COPY, CORRUPT, MISLABELLED, ENDLESS, SILENT, UNSERVED),
            COPY),
        new Table(
                OTHER,
                List.of(new Parameter(BUFFER_SIZE, List.of("4096", "65536"))),
                List.of(COPY, ABSENT, FLAGGED, FOREIGN),
                COPY)
            .onRequest()
            .withOnly(FOREIGN, BUFFER_SIZE, "65536"));
  }

  @Override
  public RowSpec row(RowKey key) {
    String method = key.method();
    int bufferSize = key.intParameter(BUFFER_SIZE);
    boolean unbound = key.table().equals(OTHER) || bufferSize == UNBOUND;
    return new RowSpec(
        key,
        RowSpec.Promise.identity("file", 1),
        RowSpec.Work.FILE,
        new RowSpec.Needs(
            method.equals(FLAGGED) ? List.of("-D" + FLAG + "=true") : List.of(),
            () -> method.equals(ABSENT) ? Optional.of("install a pigeon") : Optional.empty(),
            method.equals(FOREIGN),
            // Copies of a size share a fork, whole and corrupt ones.
            method.equals(COPY) || method.equals(CORRUPT) ? key.withMethod("") : null),
        unbound
            ? RowSpec.Bounds.NONE
            : new RowSpec.Bounds(
                List.of(bufferSize == 4096 ? CeilingName.SOCKET_DOWNLOAD : CeilingName.GZIP_ALL),
                List.of(CeilingName.FILE_WRITE)),
        workplace -> serve(method),
        (workplace, port) ->
            new TransferOperation(
                List.of(TransferClient.of(new LocalCopyCarrier(workplace.store(), method, port))),
                null,
                Direction.of(key.table()),
                TransferOptions.DEFAULT.withVerify(false),
                workplace));
  }

  private static RowServer serve(String method) throws IOException {
    if (method.equals(UNSERVED)) {
      throw new IOException("there is nobody to serve");
    }
    if (method.equals(FLAGGED) != Boolean.getBoolean(FLAG)) {
      throw new IOException("the flags of the row are not its own");
    }
    // Clients that connect wait in its queue for ever.
    ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    return RowServer.of(socket.getLocalPort(), socket);
  }
}
