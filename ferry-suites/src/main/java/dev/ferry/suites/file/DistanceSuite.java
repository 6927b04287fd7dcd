package dev.ferry.suites.file;

import dev.ferry.core.TransferOptions;
import dev.ferry.http.HttpProtocol;
import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Parameter;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.RowSpec.Bounds;
import dev.ferry.lab.suite.RowSpec.Work;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Table;
import dev.ferry.suites.rival.grpcjava.StockMethod;
import dev.ferry.suites.rival.jdk.JdkFileClient;
import java.util.List;
import java.util.stream.Stream;

/**
 * Moves files over a network, on a connection that is kept and on one that is new for each file.
 * Small files show round trips, large ones how much of the network a connection uses. The ceilings
 * are bare sockets over the same network, kept and new.
 *
 * <p>Run it with {@code ./ferry bench --suite distance --network country}.
 */
public final class DistanceSuite extends Suite {
  /** Size of each file in bytes. */
  static final String FILE_SIZE = "FileSize";

  private static final String CONNECTION = "Connection";
  private static final String KEPT = "kept";
  private static final String NEW = "new";

  /** Warm-up operations of a row with new connections. */
  private static final int NEW_WARM_UP = 10;

  private final FileTables files =
      fill(FileTables.main(parameters("65536", "1048576", "26214400"), FileTransports.HTTP_CLIENT));

  /** They take long over a slow network. */
  private final FileTables largeFiles =
      fill(FileTables.onRequest("large", parameters("268435456"), FileTransports.HTTP_CLIENT));

  /** For {@link java.util.ServiceLoader}. */
  public DistanceSuite() {
    super("distance", "files over a network, on a connection that is kept or new");
  }

  private static List<Parameter> parameters(String... sizes) {
    return List.of(
        new Parameter(FILE_SIZE, List.of(sizes)), new Parameter(CONNECTION, List.of(KEPT, NEW)));
  }

  private static FileTables fill(FileTables tables) {
    return tables
        .add(StockMethod.DEFAULT.label(), FileTransports::grpcDefault)
        .add(FileTransports.ZERO_COPY, FileTransports::zeroCopy)
        .add(FileTransports.HTTP_CLIENT, FileTransports::httpClient)
        .add(FileTransports.HTTP_CLIENT + "Http2", row -> http2())
        .add(FileTransports.FERRY_HTTP, FileTransports::ferryHttp)
        .add(FileTransports.APACHE_TUNED, FileTransports::apacheTuned)
        .add(FileTransports.NGINX_CURL, FileTransports::nginxCurl);
  }

  private static FileTransport http2() {
    return FileTransports.http(
        FileTransports.H2C,
        port -> new JdkFileClient(FileTransports.HOST, port, HttpProtocol.H2C, false));
  }

  @Override
  public boolean needsNetwork() {
    return true;
  }

  @Override
  public List<Table> tables() {
    return Stream.of(files, largeFiles)
        .flatMap(some -> some.tables().stream())
        // Each curl is a new connection.
        .map(table -> table.withOnly(FileTransports.NGINX_CURL, CONNECTION, NEW))
        .toList();
  }

  /** Both pairs of tables have the same methods. */
  @Override
  public RowSpec row(RowKey key) {
    FileTransport transport = files.transport(key);
    Direction direction = Direction.of(key.table());
    Load load = Load.files(key.longParameter(FILE_SIZE), 1, 1);
    boolean kept = KEPT.equals(key.parameters().get(CONNECTION));
    Work work = Work.of(load, null);
    return new RowSpec(
        key,
        transport.promise(null),
        // A new connection of java.net.http is a new client, whose threads on JDK 17 end only after
        // a collection of the heap. Many of them in a warm-up would disturb the samples.
        kept ? work : work.with(profile -> load.of(profile).withMaxWarmupOperations(NEW_WARM_UP)),
        transport.needs(null, null),
        Bounds.of(
            kept
                ? direction.ceilings()
                : List.of(
                    direction == Direction.DOWNLOAD
                        ? CeilingName.SOCKET_DOWNLOAD_NEW
                        : CeilingName.SOCKET_UPLOAD_NEW)),
        workplace -> transport.startServer(workplace, TransferOptions.DEFAULT.chunkSize(), false),
        (workplace, port) ->
            new TransferOperation(
                List.of(
                    kept
                        ? transport.startClient(workplace, port)
                        : new NewConnectionClient(transport, workplace, port)),
                load,
                direction,
                TransferOptions.DEFAULT.withVerify(false),
                workplace));
  }
}
