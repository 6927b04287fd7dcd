package dev.ferry.suites.file;

import dev.ferry.lab.model.RowKey;
import dev.ferry.suites.rival.grpcjava.StockMethod;
import dev.ferry.suites.tls.BareTlsClient;
import dev.ferry.suites.tls.BareTlsServer;
import dev.ferry.suites.tls.ProviderParameter;
import java.util.List;
import java.util.Objects;

/** The tables of TLS 1.3: gRPC and HTTP by each provider, as {@link RowTls} says. */
final class TlsTables {
  /** A file over TLS and nothing else: the ceiling of all other rows. */
  private static final String BARE = "TlsSocket";

  private TlsTables() {}

  static FileTables tables() {
    return FileTables.onRequest(
            "tls",
            List.of(ProviderParameter.all(), FileTables.bufferSizes("65536")),
            FileTransports.HTTP_CLIENT)
        .add(BARE, TlsTables::bare)
        .add(StockMethod.DEFAULT.label(), FileTransports::grpcDefault)
        .add(FileTransports.ZERO_COPY, FileTransports::zeroCopy)
        .add(FileTransports.FERRY_HTTP, FileTransports::ferryHttp)
        .add(FileTransports.HTTP_CLIENT, FileTransports::httpClient)
        .add(FileTransports.APACHE_TUNED, FileTransports::apacheTuned);
  }

  private static FileTransport bare(RowKey row) {
    RowTls tls = RowTls.of(row);
    return new FileTransport(
            BareTlsClient.PROTOCOL,
            (workplace, bufferSize, gzip) ->
                BareTlsServer.files(
                    workplace.store(), Objects.requireNonNull(tls.server(workplace))),
            (workplace, port) ->
                BareTlsClient.connect(port, Objects.requireNonNull(tls.client(workplace))))
        .withObstacle(() -> ProviderParameter.obstacle(row));
  }
}
