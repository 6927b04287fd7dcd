package dev.ferry.lab.rival;

import dev.ferry.calls.Backend;
import dev.ferry.grpc.transport.EventLoops;
import dev.ferry.grpc.transport.Transport;
import io.grpc.Codec;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A server of small calls as grpc-java's documentation builds one: generated code, grpc-java's own
 * settings. Only its threads are not those of the client, which grpc-java would share. Thread-safe.
 */
public final class StockCallServer implements AutoCloseable {
  /** grpc-java as it comes. */
  static final Transport TRANSPORT = new Transport.Stock(true, new Codec.Gzip());

  private static final int CLOSE_SECONDS = 3;

  private final EventLoops boss = new EventLoops("stock-boss", 1);
  private final EventLoops workers = new EventLoops("stock-server", TRANSPORT.threads());
  private final ExecutorService executor = Executors.newCachedThreadPool();
  private final Server server;

  private StockCallServer(Backend backend, String host, @Nullable SslContext tls) {
    NettyServerBuilder builder = TRANSPORT.listen(new InetSocketAddress(host, 0), boss, workers);
    if (tls != null) {
      builder.sslContext(tls);
    }
    StockSmallServices.of(backend).forEach(builder::addService);
    server = builder.executor(executor).addService(new StockRowsService(backend).bind()).build();
  }

  /**
   * Starts a server on a free port.
   *
   * @param tls null for plain text
   */
  public static StockCallServer start(Backend backend, String host, @Nullable SslContext tls)
      throws IOException {
    StockCallServer stock = new StockCallServer(backend, host, tls);
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
    executor.shutdownNow();
  }
}
