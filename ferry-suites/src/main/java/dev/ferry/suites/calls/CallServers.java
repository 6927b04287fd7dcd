package dev.ferry.suites.calls;

import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.ServerHost;
import dev.ferry.suites.calls.service.Backend;
import dev.ferry.suites.calls.service.Items;
import dev.ferry.suites.calls.service.grpc.GrpcCallServer;
import dev.ferry.suites.calls.service.http.HttpCallServer;
import dev.ferry.suites.rival.grpcjava.StockServer;
import dev.ferry.suites.tls.BareTlsClient;
import dev.ferry.suites.tls.BareTlsServer;
import dev.ferry.wire.ServerTls;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The servers of small calls that rows have, each with a backend of its own in memory. */
enum CallServers {
  /** gRPC as grpc-java's documentation has it. */
  STOCK,
  /** gRPC as fast as it gets. */
  GRPC,
  /** Items over TLS without a protocol. */
  BARE_TLS,
  /** HTTP on Netty's codecs: the same for every client. */
  HTTP;

  /** Where all servers listen. */
  static final String HOST = ServerHost.name();

  /**
   * Starts the server on a free port.
   *
   * @param tls null for plain text
   */
  RowServer start(@Nullable ServerTls tls) throws IOException {
    return switch (this) {
      case STOCK -> StockServer.calls(Backend.inMemory(), HOST, tls);
      case GRPC -> {
        GrpcCallServer server = GrpcCallServer.start(Backend.inMemory(), HOST, 0, tls);
        yield RowServer.of(server.port(), server);
      }
      case BARE_TLS -> BareTlsServer.items(new Items(Backend.SEED), Objects.requireNonNull(tls));
      case HTTP -> {
        HttpCallServer server = HttpCallServer.start(Backend.inMemory(), HOST, 0, tls);
        yield RowServer.of(server.port(), server);
      }
    };
  }

  /** What its clients negotiate, if they know no other protocol. */
  String protocol(boolean tls) {
    return switch (this) {
      case HTTP -> "http/1.1";
      case BARE_TLS -> BareTlsClient.PROTOCOL;
      case STOCK, GRPC -> tls ? "h2" : "h2c";
    };
  }
}
