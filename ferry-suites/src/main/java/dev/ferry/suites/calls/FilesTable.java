package dev.ferry.suites.calls;

import dev.ferry.core.Carrier;
import dev.ferry.core.FileStore;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.http.HttpFiles;
import dev.ferry.http.HttpProtocol;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Operation;
import dev.ferry.lab.suite.Parameter;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.RowSpec.Bounds;
import dev.ferry.lab.suite.RowSpec.Needs;
import dev.ferry.lab.suite.RowSpec.Work;
import dev.ferry.lab.suite.Table;
import dev.ferry.lab.suite.Workplace;
import dev.ferry.suites.receiving.ReceivingSink;
import dev.ferry.suites.receiving.ReceivingStore;
import dev.ferry.suites.rival.TransferClient;
import dev.ferry.suites.rival.apache.ApacheFileClient;
import dev.ferry.suites.rival.grpcjava.StockFilesClient;
import dev.ferry.suites.rival.grpcjava.StockMethod;
import dev.ferry.suites.rival.grpcjava.StockServer;
import dev.ferry.suites.rival.jdk.JdkFileClient;
import dev.ferry.wire.ServerSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Sending files of many sizes to a receiver that does not keep them. */
final class FilesTable implements TasksSuite.TaskTable {
  private static final String BASELINE = "WebApiHttp1Async";
  static final String FILE_SIZE = "FileSize";
  static final String DIGEST = "Digest";
  static final String NO_DIGEST = "none";
  private static final String MD5 = "md5";

  /** Clients, or channels, that the workers share, as in the reference. */
  private static final int CLIENTS = 8;

  /** Bytes of a sample of small files. */
  private static final long SAMPLE_BYTES = 8 << 20;

  private static final int MOST_IN_TURN = 64;
  private static final int MOST_AT_ONCE = 512;

  /** The cost of the smallest file; the bytes of a file cost extra, with MD5. */
  private static final Duration EXPECTED = Duration.ofNanos(300_000);

  private static final long NANOS_PER_BYTE = 2;

  private final boolean parallel;
  private final TableMethods<Sender> methods = new TableMethods<>();

  /** Starts a server over a store. */
  @FunctionalInterface
  private interface ServerStart {
    RowServer start(FileStore store) throws IOException;
  }

  /**
   * How files are sent.
   *
   * @param client connects to the server on a port
   * @param probe connects a client that asks the server what arrived
   */
  private record Sender(
      HttpProtocol protocol,
      ServerStart server,
      IntFunction<TransferClient> client,
      IntFunction<Carrier> probe) {}

  /**
   * One of the two tables.
   *
   * @param parallel whether {@value TasksSuite#WORKERS} files are under way at once
   */
  FilesTable(boolean parallel) {
    this.parallel = parallel;
    http(
        BASELINE,
        HttpProtocol.HTTP_1_1,
        (host, port, protocol) -> new JdkFileClient(host, port, protocol, false));
    if (!parallel) {
      http(
          "WebApiHttp2Async",
          HttpProtocol.H2C,
          (host, port, protocol) -> new JdkFileClient(host, port, protocol, false));
    }
    grpc(
        "GrpcHttp2Async",
        store ->
            StockServer.files(
                StockMethod.DEFAULT, StockMethod.gzip(), store, CallServers.HOST, null),
        port -> StockFilesClient.connect(StockMethod.DEFAULT, CallServers.HOST, port, null));
    http(
        "WebApiHttp1Tuned",
        HttpProtocol.HTTP_1_1,
        (host, port, protocol) -> new ApacheFileClient(host, port, true, null));
    grpc(
        "GrpcHttp2Tuned",
        store ->
            RowServer.of(GrpcFiles.serve(store, CallServers.HOST, 0, ServerSettings.defaults())),
        port -> TransferClient.of(GrpcFiles.connect(CallServers.HOST, port)));
  }

  /** Connects over a protocol. */
  @FunctionalInterface
  private interface HttpConnector {
    TransferClient connect(String host, int port, HttpProtocol protocol);
  }

  private void http(String name, HttpProtocol protocol, HttpConnector connector) {
    methods.add(
        name,
        new Sender(
            protocol,
            store ->
                RowServer.of(
                    HttpFiles.serve(store, CallServers.HOST, 0, ServerSettings.defaults())),
            port -> connector.connect(CallServers.HOST, port, protocol),
            port -> HttpFiles.connect(CallServers.HOST, port)));
  }

  private void grpc(String name, ServerStart server, IntFunction<TransferClient> client) {
    methods.add(
        name,
        new Sender(
            HttpProtocol.H2C, server, client, port -> GrpcFiles.connect(CallServers.HOST, port)));
  }

  @Override
  public Table table() {
    return new Table(
            parallel ? "files-parallel" : "files-sequential",
            List.of(
                new Parameter(FILE_SIZE, List.of("1024", "1048576", "10485760", "104857600")),
                new Parameter(DIGEST, List.of(MD5, NO_DIGEST))),
            methods.names(),
            BASELINE)
        .inMicros();
  }

  @Override
  public RowSpec row(RowKey key) {
    Sender sender = methods.of(key);
    long bytes = key.longParameter(FILE_SIZE);
    int most = parallel ? MOST_AT_ONCE : MOST_IN_TURN;
    int least = parallel ? TasksSuite.WORKERS : 1;
    int count = (int) Math.max(least, Math.min(most, SAMPLE_BYTES * least / bytes));
    boolean md5 = MD5.equals(key.parameters().get(DIGEST));
    return new RowSpec(
        key,
        RowSpec.Promise.identity(sender.protocol().wireName(), 1),
        Work.of(new Load(bytes, count, 1, least), EXPECTED.plusNanos(NANOS_PER_BYTE * bytes)),
        Needs.NONE,
        Bounds.NONE,
        workplace ->
            sender
                .server()
                .start(
                    new ReceivingStore(
                        workplace.store(), md5 ? md5(workplace) : null, workplace.size())),
        (workplace, port) -> client(sender, workplace, port));
  }

  private static byte[] md5(Workplace workplace) throws IOException {
    MessageDigest digest = ReceivingSink.md5();
    Files.copy(workplace.source(), new DigestOutputStream(OutputStream.nullOutputStream(), digest));
    return digest.digest();
  }

  private Operation client(Sender sender, Workplace workplace, int port) throws IOException {
    List<TransferClient> clients = new ArrayList<>();
    try {
      for (int i = 0; i < (parallel ? CLIENTS : 1); i++) {
        clients.add(sender.client().apply(port));
      }
      return new FilesTask(
          clients, sender.probe().apply(port), workplace, sender.protocol().wireName());
    } catch (RuntimeException e) {
      clients.forEach(TransferClient::close);
      throw e;
    }
  }
}
