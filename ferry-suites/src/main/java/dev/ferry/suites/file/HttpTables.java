package dev.ferry.suites.file;

import dev.ferry.core.Carrier;
import dev.ferry.grpc.internal.Method;
import dev.ferry.http.HttpProtocol;
import dev.ferry.http.internal.JdkHttpCarrier;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.Table;
import dev.ferry.suites.rival.TransferClient;
import dev.ferry.suites.rival.apache.ApacheHttp2Carrier;
import dev.ferry.suites.rival.apache.ApacheHttpCarrier;
import dev.ferry.suites.rival.armeria.ArmeriaFileServer;
import dev.ferry.suites.rival.armeria.ArmeriaHttpCarrier;
import dev.ferry.suites.rival.jetty.JettyHttpCarrier;
import dev.ferry.suites.rival.okhttp.OkHttpCarrier;
import dev.ferry.suites.rival.reactor.ReactorHttpCarrier;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * HTTP by every client that a user would pick, over HTTP/1.1 and HTTP/2, at its defaults and tuned
 * as its documentation advises, all against the strongest server; and the baseline's client against
 * other servers.
 */
final class HttpTables implements FileTables {
  /** The baseline's client with Ferry's requests and answers on Armeria. */
  private static final String ON_ARMERIA = "HttpClientOnArmeria";

  /** The baseline's client with Armeria's own service of files, which takes no uploads. */
  private static final String ON_ARMERIA_FILES = "HttpClientOnArmeriaFiles";

  /** The clients by method, in the order of the table. */
  private static final Map<String, Peer> PEERS = peers();

  /** Makes a client of the server on a port. */
  @FunctionalInterface
  private interface Connector {
    Carrier connect(int port);
  }

  /** The same over either protocol. */
  @FunctionalInterface
  private interface BothProtocols {
    Carrier connect(String host, int port, HttpProtocol protocol);
  }

  private record Peer(HttpProtocol protocol, List<String> flags, Connector connector) {
    FileTransport stack() {
      return FileTransports.http(port -> TransferClient.of(connector.connect(port)))
          .withProtocol(protocol.wireName())
          .withFlags(flags.toArray(String[]::new));
    }
  }

  private static Map<String, Peer> peers() {
    Map<String, Peer> peers = new LinkedHashMap<>();
    put(peers, FileTransports.HTTP_CLIENT, false, JdkHttpCarrier::connectPlain);
    put(peers, FileTransports.HTTP_CLIENT, true, JdkHttpCarrier::connectTuned);
    put(peers, "OkHttp", false, OkHttpCarrier::connect);
    put(peers, "OkHttp", true, OkHttpCarrier::connectTuned);
    put(
        peers,
        "Apache",
        false,
        (host, port, protocol) ->
            protocol == HttpProtocol.H2C
                ? ApacheHttp2Carrier.connect(host, port)
                : ApacheHttpCarrier.connect(host, port));
    put(
        peers,
        "Apache",
        true,
        (host, port, protocol) ->
            protocol == HttpProtocol.H2C
                ? ApacheHttp2Carrier.connectTuned(host, port)
                : ApacheHttpCarrier.connectTuned(host, port));
    put(peers, "Jetty", false, JettyHttpCarrier::connect);
    put(peers, "Jetty", true, JettyHttpCarrier::connectTuned);
    put(peers, "ReactorNetty", false, ReactorHttpCarrier::connect);
    put(peers, "ReactorNetty", true, ReactorHttpCarrier::connectTuned);
    put(peers, "Armeria", false, ArmeriaHttpCarrier::connect);
    put(peers, "Armeria", true, ArmeriaHttpCarrier::connectTuned);
    return peers;
  }

  private static void put(
      Map<String, Peer> peers, String client, boolean tuned, BothProtocols connector) {
    for (HttpProtocol protocol : HttpProtocol.values()) {
      boolean http2 = protocol == HttpProtocol.H2C;
      List<String> flags = List.of();
      if (tuned && client.equals(FileTransports.HTTP_CLIENT)) {
        flags =
            http2
                ? List.of(JdkHttpCarrier.TUNED_FLAG, JdkHttpCarrier.TUNED_HTTP2_FLAG)
                : List.of(JdkHttpCarrier.TUNED_FLAG);
      }
      peers.put(
          client + (http2 ? "Http2" : "") + (tuned ? "Tuned" : ""),
          new Peer(
              protocol, flags, port -> connector.connect(FileTransports.HOST, port, protocol)));
    }
  }

  @Override
  public Table table(Direction direction) {
    Stream<String> beside =
        direction == Direction.DOWNLOAD
            ? Stream.of(ON_ARMERIA, ON_ARMERIA_FILES, FileTransports.NGINX_CURL)
            : Stream.of(ON_ARMERIA, FileTransports.NGINX_CURL);
    Table table =
        new Table(
                "http-" + direction.table(),
                FileTables.parameters(),
                Stream.concat(PEERS.keySet().stream(), beside).toList(),
                FileTransports.HTTP_CLIENT)
            .onRequest();
    if (direction == Direction.DOWNLOAD) {
      table = table.withOnly(ON_ARMERIA_FILES, USE_COMPRESSION, "false");
    }
    return FileTransports.withNginx(table, direction);
  }

  @Override
  public FileTransport stack(RowKey row) {
    Peer peer = PEERS.get(row.method());
    if (peer != null) {
      return peer.stack();
    }
    FileTransport.ClientStart client = FileTransports.of(FileTransports.HTTP_CLIENT).client();
    return switch (row.method()) {
      case ON_ARMERIA ->
          FileTransports.armeria(FileTransports.HTTP_1_1, Method.RENTED_ARRAY, client);
      case ON_ARMERIA_FILES ->
          new FileTransport(
              FileTransports.HTTP_1_1,
              (workplace, bufferSize, gzip) -> {
                ArmeriaFileServer server = ArmeriaFileServer.start(workplace.store());
                return RowServer.of(server.port(), server);
              },
              client);
      default -> FileTransports.of(row.method());
    };
  }
}
