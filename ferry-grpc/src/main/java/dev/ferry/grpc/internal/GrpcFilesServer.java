package dev.ferry.grpc.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.grpc.internal.message.ChunkCounters;
import dev.ferry.grpc.internal.transport.Shutdown;
import dev.ferry.grpc.internal.transport.StatusTrailers;
import dev.ferry.grpc.internal.transport.Tuning;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.ServerTls;
import dev.ferry.wire.internal.CallerStores;
import dev.ferry.wire.internal.ConnectionGuard;
import dev.ferry.wire.internal.DiskWorkers;
import dev.ferry.wire.internal.Listening;
import dev.ferry.wire.internal.Refusals;
import dev.ferry.wire.internal.Requests;
import dev.ferry.wire.internal.TlsContexts;
import dev.ferry.wire.internal.v1.FilesGrpc;
import dev.ferry.zerocopy.EventLoops;
import dev.ferry.zerocopy.ForeignTracers;
import dev.ferry.zerocopy.ReadableRequests;
import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A gRPC server with the {@code Files} service over a store, health and reflection.
 *
 * <p>The server has its own event loops. Calls run on them, including disk access. If the store
 * {@linkplain FileStore#isRemote is remote}, calls run on workers, in turns by caller. Thread-safe.
 */
public record GrpcFilesServer(
    Server server,
    EventLoops boss,
    EventLoops workers,
    DiskWorkers blocking,
    boolean remote,
    GrpcSetup setup,
    CallerStores stores,
    Requests requests,
    ConnectionGuard guard,
    HealthStatusManager health)
    implements ServerPort {
  /**
   * Starts a server with the given limits, and with TLS if the settings have a certificate.
   *
   * @param host the address or host name of the interface to listen on
   * @param port the port to listen on; 0 selects a free port
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if the server cannot listen on the
   *     port
   */
  public static GrpcFilesServer start(
      FileStore store, String host, int port, ServerSettings settings) throws FerryException {
    return start(store, host, port, GrpcSetup.ofServer(), settings);
  }

  /**
   * Starts a server with a given setup. This method decides whether the setup batches.
   *
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if the server cannot listen on the
   *     port
   */
  public static GrpcFilesServer start(
      FileStore store, String host, int port, GrpcSetup given, ServerSettings settings)
      throws FerryException {
    GrpcSetup setup = given.batching(!ForeignTracers.present());
    ServerTls tls = settings.tls();
    Supplier<SslContext> context = tls == null ? null : TlsContexts.server(tls, TlsContexts.H2);
    EventLoops boss = new EventLoops("ferry-grpc-boss", 1);
    EventLoops workers = new EventLoops("ferry-grpc-server", setup.transport().threads());
    DiskWorkers blocking = DiskWorkers.start("ferry-grpc-server-digest", store);
    HealthStatusManager health = new HealthStatusManager();
    health.setStatus(FilesGrpc.SERVICE_NAME, ServingStatus.SERVING);
    Refusals refusals = new Refusals();
    Requests requests = new Requests(settings.listener());
    CallerStores stores = new CallerStores(store, settings.callers(), refusals, blocking::of);
    BadMessages bad = new BadMessages(refusals);
    ConnectionGuard guard = new ConnectionGuard(settings, refusals, new StatusTrailers(), true);
    NettyServerBuilder builder =
        setup.transport().listen(new InetSocketAddress(host, port), boss, workers, guard, context);
    if (store.isRemote()) {
      Tuning.forRemoteStore(builder.callExecutor(turns(stores, blocking)));
    }
    Server server =
        builder
            .maxConnectionIdle(settings.idleTimeout().toNanos(), TimeUnit.NANOSECONDS)
            .addStreamTracerFactory(ArrivedBytes.tracers())
            .addService(new FilesService(stores, setup, requests).bind())
            .addService(ReadableRequests.of(health.getHealthService().bindService(), bad))
            .addService(
                ReadableRequests.of(ProtoReflectionServiceV1.newInstance().bindService(), bad))
            .build();
    GrpcFilesServer files =
        new GrpcFilesServer(
            server,
            boss,
            workers,
            blocking,
            store.isRemote(),
            setup,
            stores,
            requests,
            guard,
            health);
    try {
      server.start();
      return files;
    } catch (IOException e) {
      files.closeNow();
      throw Listening.failure(host, port, e);
    }
  }

  /** Returns what runs each call in the turn of its caller. */
  private static ServerCallExecutorSupplier turns(CallerStores stores, DiskWorkers workers) {
    return new ServerCallExecutorSupplier() {
      @Override
      public <I, O> Executor getExecutor(ServerCall<I, O> call, Metadata headers) {
        Attributes connection = call.getAttributes();
        return workers.of(
            stores.holder(
                headers.getAll(Authorization.KEY),
                connection.get(Grpc.TRANSPORT_ATTR_SSL_SESSION),
                connection.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR)));
      }
    };
  }

  @Override
  public int port() {
    return server.getPort();
  }

  /** Returns the counts of chunks that were handed off and copied. */
  public ChunkCounters counters() {
    return setup.format().counters();
  }

  /** Returns the counts of what was refused to clients of this port. */
  public Refusals refused() {
    return stores.refusals();
  }

  @Override
  public Map<String, Long> refusals() {
    return refused().byName();
  }

  @Override
  public int queued() {
    return blocking.queued();
  }

  @Override
  public List<ScheduledExecutorService> eventLoops() {
    return workers.threads();
  }

  @Override
  public void drain() {
    if (!requests.areRefused()) {
      requests.drain();
      health.enterTerminalState();
      guard.goAway("the server is shutting down");
    }
  }

  @Override
  public boolean awaitRequests(Duration limit) throws InterruptedException {
    return requests.await(limit);
  }

  @Override
  public void endRequests() {
    drain();
    requests.end();
    guard.endStreams(new StatusTrailers(), Requests.stopping());
  }

  /** Accepts no more calls, waits a few seconds for running calls, then cancels them. */
  @Override
  public void close() {
    Shutdown.afterCalls(server);
    release();
  }

  /** Closes all connections immediately. */
  public void closeNow() {
    Shutdown.now(server);
    release();
  }

  private void release() {
    workers.close();
    // It only accepts connections, and no handler writes on it.
    boss.closeIdle();
    stores.digests().stop();
    if (remote) {
      // An upload that ends cleans up over the network.
      blocking.stop();
    }
    blocking.stopNow();
    setup.format().close();
  }
}
