package dev.ferry.lab.rival;

import dev.ferry.core.FileStore;
import dev.ferry.grpc.transport.EventLoops;
import dev.ferry.grpc.transport.Transport;
import io.grpc.Codec;
import io.grpc.Server;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * A server as grpc-java's documentation builds one: generated code, grpc-java's own settings and
 * its own gzip, which has level 6. Only its event loops are not those of the client. Thread-safe.
 */
public final class StockGrpcServer implements AutoCloseable {
  /** grpc-java as it comes. */
  static final Transport TRANSPORT = new Transport.Stock(true, new Codec.Gzip());

  private static final int CLOSE_SECONDS = 3;

  private final EventLoops boss = new EventLoops("stock-boss", 1);
  private final EventLoops workers = new EventLoops("stock-server", TRANSPORT.threads());
  private final Server server;

  private StockGrpcServer(FileStore store, String host) {
    server =
        TRANSPORT
            .listen(new InetSocketAddress(host, 0), boss, workers)
            .addService(new StockFilesService(store))
            .build();
  }

  /** Starts a server in plain text on a free port. */
  public static StockGrpcServer start(FileStore store, String host) throws IOException {
    StockGrpcServer stock = new StockGrpcServer(store, host);
    try {
      stock.server.start();
      return stock;
    } catch (IOException e) {
      stock.close();
      throw e;
    }
  }

  /** The port it listens on. */
  public int port() {
    return server.getPort();
  }

  @Override
  public void close() {
    server.shutdownNow();
    try {
      server.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    workers.close();
    boss.close();
  }
}
