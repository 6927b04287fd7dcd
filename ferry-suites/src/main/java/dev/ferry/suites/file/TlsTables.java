package dev.ferry.suites.file;

import dev.ferry.grpc.internal.GrpcCarrier;
import dev.ferry.grpc.internal.GrpcFilesServer;
import dev.ferry.http.HttpFiles;
import dev.ferry.http.HttpProtocol;
import dev.ferry.http.internal.JdkHttpCarrier;
import dev.ferry.http.internal.server.HttpFilesServer;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.Workplace;
import dev.ferry.net.ClientTls;
import dev.ferry.net.ServerSettings;
import dev.ferry.net.ServerTls;
import dev.ferry.net.internal.TlsContexts;
import dev.ferry.suites.rival.TransferClient;
import dev.ferry.suites.rival.apache.ApacheHttpCarrier;
import dev.ferry.suites.rival.grpcjava.StockFilesClient;
import dev.ferry.suites.rival.grpcjava.StockMethod;
import dev.ferry.suites.rival.grpcjava.StockServer;
import dev.ferry.suites.rival.jdk.OfFileClient;
import dev.ferry.suites.tls.BareTlsClient;
import dev.ferry.suites.tls.BareTlsServer;
import dev.ferry.suites.tls.LoopbackTls;
import dev.ferry.suites.tls.ProviderParameter;
import java.io.IOException;
import java.util.List;

/**
 * The tables of TLS 1.3: gRPC and HTTP with a certificate and a cipher that all rows share, by each
 * provider. HTTP clients always have the JDK's TLS, so their rows differ in the server's provider.
 */
final class TlsTables {
  private static final String H2 = "h2";

  /** A file over TLS and nothing else: the ceiling of all other rows. */
  private static final String BARE = "TlsSocket";

  private TlsTables() {}

  static FileTables tables() {
    return FileTables.onRequest(
            "tls",
            List.of(ProviderParameter.all(), FileTables.bufferSizes("65536")),
            FileTransports.HTTP_CLIENT)
        .addByRow(BARE, TlsTables::bare)
        .addByRow(StockMethod.DEFAULT.label(), row -> stock(row, StockMethod.DEFAULT))
        .addByRow(FileTransports.ZERO_COPY, TlsTables::zeroCopy)
        .addByRow(FileTransports.FERRY_HTTP, TlsTables::ferryHttp)
        .addByRow(FileTransports.HTTP_CLIENT, TlsTables::httpClient)
        .addByRow(FileTransports.APACHE_TUNED, TlsTables::apacheTuned);
  }

  static FileTransport ferryHttp(RowKey row) {
    return http(
        row,
        (port, tls) ->
            TransferClient.of(
                HttpFiles.connect(FileTransports.HOST, port, HttpProtocol.HTTP_1_1, tls.trust())));
  }

  private static FileTransport httpClient(RowKey row) {
    return http(
        row,
        (port, tls) ->
            TransferClient.of(
                JdkHttpCarrier.connectPlain(
                    FileTransports.HOST, port, HttpProtocol.HTTP_1_1, tls.trust())));
  }

  static FileTransport httpClientFile(RowKey row) {
    return http(row, (port, tls) -> OfFileClient.connect(FileTransports.HOST, port, tls.jdk()));
  }

  static FileTransport apacheTuned(RowKey row) {
    return http(
        row,
        (port, tls) ->
            TransferClient.of(
                ApacheHttpCarrier.connectTuned(FileTransports.HOST, port, tls.jdk())));
  }

  private static FileTransport byProvider(
      RowKey row,
      String protocol,
      FileTransport.ServerStart server,
      FileTransport.PairedClientStart client) {
    return new FileTransport(protocol, server, client)
        .withObstacle(() -> ProviderParameter.obstacle(row));
  }

  private static ServerSettings settings(Workplace workplace, RowKey row) throws IOException {
    return ServerSettings.defaults()
        .withTls(LoopbackTls.server(workplace.store()).withProvider(ProviderParameter.of(row)));
  }

  static FileTransport stock(RowKey row, StockMethod method) {
    return byProvider(
        row,
        H2,
        (workplace, bufferSize, gzip) -> {
          ServerTls tls =
              LoopbackTls.server(workplace.store()).withProvider(ProviderParameter.of(row));
          StockServer server =
              StockServer.files(
                  method,
                  StockMethod.gzip(),
                  FileTransports.store(workplace),
                  FileTransports.HOST,
                  TlsContexts.server(tls, TlsContexts.H2));
          return RowServer.of(server.port(), server);
        },
        (workplace, port) ->
            StockFilesClient.connect(
                method,
                FileTransports.HOST,
                port,
                TlsContexts.client(trust(workplace, row), TlsContexts.H2)));
  }

  private static ClientTls trust(Workplace workplace, RowKey row) throws IOException {
    return LoopbackTls.client(workplace.store()).trust().withProvider(ProviderParameter.of(row));
  }

  static FileTransport zeroCopy(RowKey row) {
    return byProvider(
        row,
        H2,
        (workplace, bufferSize, gzip) -> {
          GrpcFilesServer server =
              GrpcFilesServer.start(
                  FileTransports.store(workplace),
                  FileTransports.HOST,
                  0,
                  FileTransports.setup(),
                  settings(workplace, row));
          return RowServer.of(server.port(), server);
        },
        (workplace, port) ->
            TransferClient.of(
                GrpcCarrier.connect(
                    FileTransports.HOST,
                    port,
                    FileTransports.setup(),
                    trust(workplace, row),
                    null)));
  }

  private static FileTransport bare(RowKey row) {
    return byProvider(
        row,
        BareTlsClient.PROTOCOL,
        (workplace, bufferSize, gzip) ->
            BareTlsServer.files(
                workplace.store(),
                LoopbackTls.server(workplace.store()).withProvider(ProviderParameter.of(row))),
        (workplace, port) -> BareTlsClient.connect(port, trust(workplace, row)));
  }

  /** Makes a client of HTTP/1.1. */
  @FunctionalInterface
  private interface HttpClients {
    TransferClient connect(int port, LoopbackTls tls);
  }

  private static FileTransport http(RowKey row, HttpClients client) {
    return byProvider(
        row,
        FileTransports.HTTP_1_1,
        (workplace, bufferSize, gzip) -> {
          HttpFilesServer server =
              HttpFilesServer.start(
                  FileTransports.store(workplace),
                  FileTransports.HOST,
                  0,
                  bufferSize,
                  settings(workplace, row));
          return RowServer.of(server.port(), server);
        },
        (workplace, port) -> client.connect(port, LoopbackTls.client(workplace.store())));
  }
}
