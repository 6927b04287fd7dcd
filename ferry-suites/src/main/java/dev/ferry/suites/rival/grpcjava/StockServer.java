package dev.ferry.suites.rival.grpcjava;

import dev.ferry.calls.Backend;
import dev.ferry.calls.ConcurrencyLimiter;
import dev.ferry.calls.grpc.CallServices;
import dev.ferry.core.FileStore;
import dev.ferry.grpc.internal.transport.EventLoops;
import dev.ferry.grpc.internal.transport.Shutdown;
import dev.ferry.grpc.internal.transport.Transport;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A server as grpc-java's documentation builds one: generated code, grpc-java's own settings and
 * its own gzip, which has level 6. Only its threads are not those of the client, which grpc-java
 * would share. Thread-safe.
 */
public final class StockServer implements AutoCloseable {
  private static final Transport TRANSPORT = StockChannel.TRANSPORT;

  private final EventLoops boss = new EventLoops("stock-boss", 1);
  private final EventLoops workers = new EventLoops("stock-server", TRANSPORT.threads());
  private final ExecutorService executor = Executors.newCachedThreadPool();
  private final Server server;

  private StockServer(
      List<ServerServiceDefinition> services, String host, @Nullable SslContext tls) {
    NettyServerBuilder builder = TRANSPORT.listen(new InetSocketAddress(host, 0), boss, workers);
    if (tls != null) {
      builder.sslContext(tls);
    }
    server = builder.executor(executor).addServices(services).build();
  }

  /** Starts a server of files, in plain text on a free port. */
  public static StockServer files(FileStore store, String host) throws IOException {
    return start(List.of(new StockFilesService(store).bindService()), host, null);
  }

  /**
   * Starts a server of small calls on a free port.
   *
   * @param tls null for plain text
   */
  public static StockServer calls(Backend backend, String host, @Nullable SslContext tls)
      throws IOException {
    ConcurrencyLimiter unlimited = new ConcurrencyLimiter(Integer.MAX_VALUE, Long.MAX_VALUE);
    return start(CallServices.of(backend, unlimited), host, tls);
  }

  private static StockServer start(
      List<ServerServiceDefinition> services, String host, @Nullable SslContext tls)
      throws IOException {
    StockServer stock = new StockServer(services, host, tls);
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
    Shutdown.now(server);
    workers.close();
    boss.close();
    executor.shutdownNow();
  }
}
