package dev.ferry.suites.file;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.http.HttpProtocol;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.suite.Parameter;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.suites.file.FileTables.Settings;
import dev.ferry.suites.own.OwnMethod;
import dev.ferry.suites.rival.HttpRival;
import dev.ferry.suites.rival.armeria.ArmeriaServers;
import dev.ferry.suites.rival.grpcjava.StockFilesClient;
import dev.ferry.suites.rival.grpcjava.StockGrpcClient;
import dev.ferry.suites.rival.grpcjava.StockMethod;
import dev.ferry.suites.rival.grpcjava.StockServer;
import dev.ferry.suites.rival.jdk.JdkFileServer;
import dev.ferry.suites.rival.jetty.JettyFileServer;
import dev.ferry.suites.rival.netty.NettyFileClient;
import dev.ferry.suites.rival.netty.NettyFileServer;
import dev.ferry.zerocopy.FileSender;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The tables of Ferry beside its rivals; HTTP clients come from {@link HttpRivals}. */
final class RivalTables {
  private RivalTables() {}

  /** The best method beside each rival at its best; docs/bench/rivals.md says why each is there. */
  static FileTables best() {
    return FileTables.onRequest(
            "rivals", FileTables.sizes("65536", "262144"), FileTransports.HTTP_CLIENT)
        .add(FileTransports.ZERO_COPY, FileTransports::zeroCopy)
        .add(FileTransports.ZERO_COPY_INTEL, Settings.COMPRESSED, FileTransports::zeroCopyIntel)
        // The messages of a method on the fast transport.
        .add("DefaultTuned", row -> tuned(StockMethod.DEFAULT))
        .add("RentedArrayTuned", row -> tuned(StockMethod.RENTED_ARRAY))
        .add("GrpcStock", row -> grpcStock())
        .add(FileTransports.FERRY_HTTP, FileTransports::ferryHttp)
        .add(FileTransports.HTTP_CLIENT, FileTransports::httpClient)
        .add(FileTransports.HTTP_CLIENT_FILE, Settings.PLAIN, FileTransports::httpClientFile)
        .add("HttpClientTuned", FileTransports::httpClientTuned)
        .add(FileTransports.APACHE_TUNED, FileTransports::apacheTuned)
        .add(FileTransports.NGINX_CURL, Settings.PLAIN_UPLOADS, FileTransports::nginxCurl);
  }

  /**
   * HTTP by every client that a user would pick, over HTTP/1.1 and HTTP/2, at its defaults and
   * tuned as its documentation advises, all against the strongest server; and the baseline's client
   * against other servers.
   */
  static FileTables http() {
    FileTables tables =
        FileTables.onRequest("http", FileTables.parameters(), FileTransports.HTTP_CLIENT);
    return addClients(tables)
        .add(FileTransports.HTTP_CLIENT_ON_ARMERIA, FileTransports::httpClientOnArmeria)
        // Armeria's own service of files, which takes no uploads.
        .add(
            "HttpClientOnArmeriaFiles",
            Settings.PLAIN_DOWNLOADS,
            row -> onServer(ArmeriaServers::folder))
        .add("HttpClientOnJdk", Settings.PLAIN, row -> onServer(JdkFileServer::start))
        .add("HttpClientOnJetty", Settings.PLAIN, row -> onServer(JettyFileServer::start))
        .add(
            "HttpClientOnNginx",
            Settings.PLAIN_UPLOADS,
            row -> FileTransports.nginx(FileTransports::jdkClient))
        .add(FileTransports.NGINX_CURL, Settings.PLAIN_UPLOADS, FileTransports::nginxCurl)
        .add("Netty", Settings.PLAIN, row -> netty());
  }

  /**
   * Every method and HTTP client that can verify, unverified and verified: both ends compute a
   * digest in the timed part and the receiver compares them. Beside the best method and the JDK's
   * client stand rows whose server knows the digest of its file.
   */
  static FileTables verified() {
    List<Parameter> parameters = new ArrayList<>(List.of(FileTables.verify()));
    parameters.addAll(FileTables.sizes("65536"));
    FileTables tables = FileTables.onRequest("verified", parameters, FileTransports.HTTP_CLIENT);
    return addClients(FileTransferTables.addGrpc(tables))
        .add(
            "ZeroCopyKnown",
            Settings.CRC32C_DOWNLOADS,
            row -> FileTransports.zeroCopy(row).withKnownDigest())
        .add(
            "HttpClientFileKnown",
            Settings.CRC32C_DOWNLOADS,
            row -> FileTransports.httpClientFile(row).withKnownDigest());
  }

  /** A service and a {@code .proto} of the user's own: what its {@code bytes} cost in each way. */
  static FileTables ownService() {
    FileTables tables =
        FileTables.onRequest(
            "own-service",
            List.of(
                FileTables.bufferSizes("4096", "65536", Integer.toString(FileSender.MAX_CHUNK))),
            OwnMethod.STOCK.label());
    for (OwnMethod method : OwnMethod.values()) {
      tables.add(method.label(), row -> FileTransports.ownService(row, method));
    }
    return tables;
  }

  private static FileTables addClients(FileTables tables) {
    tables.add(FileTransports.FERRY_HTTP, FileTransports::ferryHttp);
    addClient(tables, HttpRivals.JDK);
    tables.add(FileTransports.HTTP_CLIENT_FILE, Settings.PLAIN, FileTransports::httpClientFile);
    HttpRivals.ALL.forEach(rival -> addClient(tables, rival));
    return tables;
  }

  private static void addClient(FileTables tables, HttpRival client) {
    for (boolean tuned : new boolean[] {false, true}) {
      for (HttpProtocol protocol : HttpProtocol.values()) {
        List<String> flags =
            tuned && client == HttpRivals.JDK ? FileTransports.tunedFlags(protocol) : List.of();
        tables.add(
            client.method(protocol, tuned),
            row ->
                FileTransports.http(
                        protocol.wireName(),
                        port ->
                            client.connector().connect(FileTransports.HOST, port, protocol, tuned))
                    .withFlags(flags));
      }
    }
  }

  /** Starts a server of a folder. */
  @FunctionalInterface
  private interface FolderServer {
    RowServer start(Path folder) throws IOException;
  }

  /** The client of the baseline with another server. */
  private static FileTransport onServer(FolderServer server) {
    return onServer(server, FileTransports::jdkClient);
  }

  private static FileTransport onServer(FolderServer server, FileTransport.ClientStart client) {
    return new FileTransport(
        FileTransports.HTTP_1_1,
        (workplace, bufferSize, gzip) -> server.start(workplace.store()),
        client);
  }

  private static FileTransport netty() {
    return onServer(
        NettyFileServer::start, port -> NettyFileClient.connect(FileTransports.HOST, port));
  }

  private static FileTransport tuned(StockMethod method) {
    return new FileTransport(
        FileTransports.H2C,
        (workplace, bufferSize, gzip) ->
            StockServer.tunedFiles(method, FileTransports.store(workplace), FileTransports.HOST),
        port -> StockFilesClient.connectTuned(method, FileTransports.HOST, port));
  }

  /** grpc-java as its documentation has it, its own gzip included. */
  private static FileTransport grpcStock() {
    return new FileTransport(
            FileTransports.H2C,
            (workplace, bufferSize, gzip) ->
                StockServer.files(
                    StockMethod.DEFAULT,
                    new io.grpc.Codec.Gzip(),
                    FileTransports.store(workplace),
                    FileTransports.HOST,
                    null),
            port -> StockGrpcClient.connect(FileTransports.HOST, port))
        .withGzip(new Codec(CompressionCodec.GZIP_JDK.label(), 6));
  }
}
