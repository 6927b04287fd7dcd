package dev.ferry.grpc.internal;

import dev.ferry.contract.v1.FilesGrpc;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileServer;
import dev.ferry.core.FileStore;
import dev.ferry.grpc.internal.message.HandOffCounters;
import dev.ferry.grpc.internal.transport.EventLoops;
import dev.ferry.grpc.internal.transport.ForeignTracers;
import dev.ferry.grpc.internal.transport.Shutdown;
import dev.ferry.grpc.internal.transport.StallTrailers;
import dev.ferry.net.ServerSettings;
import dev.ferry.net.internal.ConnectionGuard;
import dev.ferry.net.internal.Refusals;
import io.grpc.Server;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A gRPC server of the {@code Files} service over a store, with health and reflection.
 *
 * <p>It has event loops of its own. With {@link Method#ZERO_COPY} calls run on them, disk access
 * included. Thread-safe.
 */
public final class GrpcFilesServer implements FileServer {
  private final Server server;
  private final EventLoops boss;
  private final EventLoops workers;
  private final ExecutorService blocking;
  private final MethodSetup<?> setup;
  private final Refusals refusals;

  private GrpcFilesServer(
      Server server,
      EventLoops boss,
      EventLoops workers,
      ExecutorService blocking,
      MethodSetup<?> setup,
      Refusals refusals) {
    this.server = server;
    this.boss = boss;
    this.workers = workers;
    this.blocking = blocking;
    this.setup = setup;
    this.refusals = refusals;
  }

  /**
   * Starts a server in plain text.
   *
   * @param host address or name of the interface to listen on
   * @param port 0 picks a free one
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if it cannot listen there
   */
  public static GrpcFilesServer start(FileStore store, String host, int port, Method method)
      throws FerryException {
    return start(store, host, port, method, ServerSettings.defaults());
  }

  /**
   * The same with limits of the caller's.
   *
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if it cannot listen there
   */
  public static GrpcFilesServer start(
      FileStore store, String host, int port, Method method, ServerSettings settings)
      throws FerryException {
    return start(store, host, port, MethodSetup.of(method), settings);
  }

  /**
   * The same with a setup of the lab's. Whether it batches is decided here.
   *
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if it cannot listen there
   */
  public static <M> GrpcFilesServer start(
      FileStore store, String host, int port, MethodSetup<M> given) throws FerryException {
    return start(store, host, port, given, ServerSettings.defaults());
  }

  private static <M> GrpcFilesServer start(
      FileStore store, String host, int port, MethodSetup<M> given, ServerSettings settings)
      throws FerryException {
    MethodSetup<M> setup = given.batching(!ForeignTracers.present());
    EventLoops boss = new EventLoops("ferry-grpc-boss", 1);
    EventLoops workers = new EventLoops("ferry-grpc-server", setup.transport().threads());
    ExecutorService blocking = Digests.newExecutor("ferry-grpc-server-digest");
    HealthStatusManager health = new HealthStatusManager();
    health.setStatus(FilesGrpc.SERVICE_NAME, ServingStatus.SERVING);
    Refusals refusals = new Refusals();
    ReadableRequests readable = new ReadableRequests(refusals);
    ConnectionGuard guard = new ConnectionGuard(settings, refusals, new StallTrailers());
    Server server =
        setup
            .transport()
            .listen(new InetSocketAddress(host, port), boss, workers, guard)
            .maxConnectionIdle(settings.idleTimeout().toNanos(), TimeUnit.NANOSECONDS)
            .addStreamTracerFactory(ArrivedBytes.tracers())
            .addService(new FilesService<>(store, setup, blocking, refusals).bind())
            .addService(readable.of(health.getHealthService().bindService()))
            .addService(readable.of(ProtoReflectionServiceV1.newInstance().bindService()))
            .build();
    GrpcFilesServer files = new GrpcFilesServer(server, boss, workers, blocking, setup, refusals);
    try {
      server.start();
      return files;
    } catch (IOException e) {
      files.closeNow();
      throw cannotListen(host, port, e);
    }
  }

  private static FerryException cannotListen(String host, int port, IOException e) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (t instanceof BindException || String.valueOf(t.getMessage()).contains("in use")) {
        return new FerryException(
            ErrorKind.UNAVAILABLE,
            "port " + port + " is in use on " + host + "; choose another, 0 picks a free one",
            e);
      }
    }
    return new FerryException(
        ErrorKind.UNAVAILABLE, "cannot listen on " + host + ":" + port + ": " + e.getMessage(), e);
  }

  @Override
  public int port() {
    return server.getPort();
  }

  /** What was handed off and what was copied; all zero unless the method is ZeroCopy. */
  public HandOffCounters counters() {
    return setup.counters();
  }

  /** What was refused to clients of this port. */
  public Refusals refused() {
    return refusals;
  }

  /** Takes no more calls, waits a few seconds for running ones, then cuts them. */
  @Override
  public void close() {
    Shutdown.afterCalls(server);
    release();
  }

  /** Cuts every connection at once. */
  void closeNow() {
    Shutdown.now(server);
    release();
  }

  private void release() {
    workers.close();
    boss.close();
    blocking.shutdownNow();
    setup.form().close();
  }
}
