package dev.ferry.suites.rival.grpcjava;

import dev.ferry.core.FileStore;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.suites.calls.service.Backend;
import dev.ferry.suites.calls.service.ConcurrencyLimiter;
import dev.ferry.suites.calls.service.grpc.CallServices;
import dev.ferry.suites.rival.GrpcEnd;
import dev.ferry.suites.rival.grpcjava.StockMethod.Flow;
import dev.ferry.suites.tls.NettyTls;
import dev.ferry.wire.ServerTls;
import dev.ferry.zerocopy.EventLoops;
import dev.ferry.zerocopy.ZeroCopy;
import io.grpc.Codec;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A server as grpc-java's documentation builds one: generated code and grpc-java's own settings.
 * Only its threads are not those of the client, which grpc-java would share. Thread-safe.
 */
public final class StockServer {
  /** How streams flow on the transport of {@code ZeroCopy}. */
  static final Flow TUNED = new Flow(ZeroCopy.MESSAGES_AHEAD, ZeroCopy.ON_READY_THRESHOLD);

  private StockServer() {}

  /**
   * Starts a server of files on a free port.
   *
   * @param codec its gzip
   * @param tls null for plain text
   */
  public static RowServer files(
      StockMethod method, Codec codec, FileStore store, String host, @Nullable ServerTls tls)
      throws IOException {
    ExecutorService executor = Executors.newCachedThreadPool();
    return start(
        List.of(method.service(store, Flow.DEFAULT, executor)), host, tls, executor, codec);
  }

  /**
   * Starts a server of files on a free port, in plain text, over the transport of {@code ZeroCopy}.
   */
  public static RowServer tunedFiles(StockMethod method, FileStore store, String host)
      throws IOException {
    EventLoops boss = new EventLoops("tuned-boss", 1);
    EventLoops workers = new EventLoops("tuned-server", Runtime.getRuntime().availableProcessors());
    ExecutorService executor = Executors.newCachedThreadPool();
    return start(
        boss,
        workers,
        executor,
        ZeroCopy.server(
                builder(host, StockMethod.gzip()),
                ZeroCopy.newPool(),
                boss,
                workers,
                boss.serverChannels())
            .directExecutor()
            .addService(method.service(store, TUNED, executor)));
  }

  /**
   * Starts a server of small calls on a free port.
   *
   * @param tls null for plain text
   */
  public static RowServer calls(Backend backend, String host, @Nullable ServerTls tls)
      throws IOException {
    ConcurrencyLimiter unlimited = new ConcurrencyLimiter(Integer.MAX_VALUE, Long.MAX_VALUE);
    return start(
        CallServices.of(backend, unlimited),
        host,
        tls,
        Executors.newCachedThreadPool(),
        new Codec.Gzip());
  }

  private static RowServer start(
      List<ServerServiceDefinition> services,
      String host,
      @Nullable ServerTls tls,
      ExecutorService executor,
      Codec codec)
      throws IOException {
    EventLoops boss = new EventLoops("stock-boss", 1);
    EventLoops workers = new EventLoops("stock-server", 0);
    NettyServerBuilder builder =
        builder(host, codec)
            .bossEventLoopGroup(boss.group())
            .workerEventLoopGroup(workers.group())
            .channelFactory(boss.serverChannels())
            .executor(executor)
            .addServices(services);
    return start(
        boss, workers, executor, tls == null ? builder : builder.sslContext(NettyTls.server(tls)));
  }

  private static NettyServerBuilder builder(String host, Codec codec) {
    return NettyServerBuilder.forAddress(new InetSocketAddress(host, 0))
        .compressorRegistry(StockMethod.compressors(codec))
        .decompressorRegistry(StockMethod.decompressors(codec));
  }

  private static RowServer start(
      EventLoops boss, EventLoops workers, ExecutorService executor, NettyServerBuilder builder)
      throws IOException {
    Server server = builder.build();
    Runnable stop =
        () -> {
          GrpcEnd.now(server);
          workers.close();
          boss.close();
          executor.shutdownNow();
        };
    try {
      server.start();
      return RowServer.of(server.getPort(), stop::run);
    } catch (IOException e) {
      stop.run();
      throw e;
    }
  }
}
