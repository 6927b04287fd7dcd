package dev.ferry.suites.calls.service.grpc;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.suites.calls.service.Backend;
import dev.ferry.suites.calls.service.ConcurrencyLimiter;
import dev.ferry.suites.rival.GrpcEnd;
import dev.ferry.suites.tls.NettyTls;
import dev.ferry.wire.ServerTls;
import dev.ferry.zerocopy.EventLoops;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A tuned gRPC server for small calls, with reflection: calls run on its event loops, which it does
 * not share with the clients of this process. Calls beyond the limits of the {@link
 * ConcurrencyLimiter} are rejected immediately with {@link ErrorKind#OVERLOADED}. Thread-safe.
 */
public final class GrpcCallServer implements AutoCloseable {
  private static final int CALLS_PER_CONNECTION = 100;

  private final Server server;
  private final EventLoops boss;
  private final EventLoops workers;

  private GrpcCallServer(Server server, EventLoops boss, EventLoops workers) {
    this.server = server;
    this.boss = boss;
    this.workers = workers;
  }

  /**
   * Starts a server, with or without TLS.
   *
   * @param host address or name of the interface to listen on
   * @param port 0 selects a free port
   * @param tls the certificate; null for plaintext
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if it cannot listen there
   */
  public static GrpcCallServer start(
      Backend backend, String host, int port, @Nullable ServerTls tls) throws FerryException {
    return start(backend, host, port, tls, new ConcurrencyLimiter());
  }

  static GrpcCallServer start(
      Backend backend, String host, int port, @Nullable ServerTls tls, ConcurrencyLimiter limiter)
      throws FerryException {
    EventLoops boss = new EventLoops("ferry-calls-boss", 1);
    EventLoops workers =
        new EventLoops("ferry-calls-server", Runtime.getRuntime().availableProcessors());
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(new InetSocketAddress(host, port))
            .bossEventLoopGroup(boss.group())
            .workerEventLoopGroup(workers.group())
            .channelFactory(boss.serverChannels())
            .directExecutor()
            .flowControlWindow(TunedChannel.WINDOW)
            .maxConcurrentCallsPerConnection(CALLS_PER_CONNECTION)
            .addServices(CallServices.of(backend, limiter))
            .addService(ProtoReflectionServiceV1.newInstance())
            .intercept(new LimitedCalls(limiter));
    if (tls != null) {
      builder.sslContext(NettyTls.server(tls));
    }
    GrpcCallServer calls = new GrpcCallServer(builder.build(), boss, workers);
    try {
      calls.server.start();
      return calls;
    } catch (IOException e) {
      calls.closeNow();
      throw new FerryException(
          ErrorKind.UNAVAILABLE,
          "cannot listen on " + host + ":" + port + ": " + e.getMessage(),
          e);
    }
  }

  /** The port that the server listens on. */
  public int port() {
    return server.getPort();
  }

  /** Stops accepting calls, waits a few seconds for running ones, then aborts them. */
  @Override
  public void close() {
    GrpcEnd.afterCalls(server);
    release();
  }

  /** Closes all connections immediately. */
  void closeNow() {
    GrpcEnd.now(server);
    release();
  }

  private void release() {
    workers.close();
    boss.close();
  }
}
