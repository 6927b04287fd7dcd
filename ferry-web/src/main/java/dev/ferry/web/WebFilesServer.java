package dev.ferry.web;

import com.linecorp.armeria.common.grpc.GrpcSerializationFormats;
import com.linecorp.armeria.common.util.BlockingTaskExecutor;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.docs.DocService;
import com.linecorp.armeria.server.grpc.GrpcService;
import dev.ferry.contract.HttpRoutes;
import dev.ferry.contract.Limits;
import dev.ferry.contract.v1.FilesGrpc;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.grpc.FilesEndpoint;
import dev.ferry.grpc.Method;
import dev.ferry.grpc.MethodSetup;
import dev.ferry.grpc.ReadableRequests;
import dev.ferry.net.AccessRules;
import dev.ferry.net.ConnectionGuard;
import dev.ferry.net.Refusals;
import dev.ferry.net.ServerSettings;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.ChannelOption;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The web port: the {@code Files} service over gRPC, gRPC-Web and gRPC-Web-Text, and the routes of
 * {@link HttpRoutes}, all on HTTP/1.1 and HTTP/2 in plain text; beside them health, reflection and,
 * under {@code /docs/}, a description of the service.
 *
 * <p>It has event loops of its own and threads of its own for the disk. A file of any size passes;
 * a slow reader or a slow disk costs memory that does not grow with it, and who neither sends nor
 * takes a byte for a minute is dropped. Thread-safe.
 */
public final class WebFilesServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WebFilesServer.class);
  private static final int GRACE_MILLIS = 2000;
  private static final int POLL_MILLIS = 20;

  /** Paths have at most 4096 bytes, each of which may be three in a URI. */
  private static final int MAX_REQUEST_LINE = 16 * 1024;

  private static final int MAX_HEADERS = 32 * 1024;

  /** What one stream may have sent and its service not yet taken. */
  private static final int STREAM_WINDOW = 1024 * 1024;

  private static final int CONNECTION_WINDOW = 4 * 1024 * 1024;

  /** Frames and HTTP/1.1 pieces up to this are passed on as they come. */
  private static final int MAX_PIECE = 256 * 1024;

  private static final int WORKERS_CLOSE_SECONDS = 3;

  private final Server server;
  private final BlockingTaskExecutor workers;
  private final List<FilesEndpoint> endpoints;
  private final Connections connections;
  private final AtomicInteger running;
  private final Refusals refusals;

  private WebFilesServer(
      Server server,
      BlockingTaskExecutor workers,
      List<FilesEndpoint> endpoints,
      Connections connections,
      AtomicInteger running,
      Refusals refusals) {
    this.server = server;
    this.workers = workers;
    this.endpoints = endpoints;
    this.connections = connections;
    this.running = running;
    this.refusals = refusals;
  }

  /**
   * Starts a server in plain text that pages of other origins cannot use.
   *
   * @param host address or name to listen on
   * @param port port to listen on; 0 picks a free one
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} where it cannot listen there
   */
  public static WebFilesServer start(FileStore store, String host, int port) throws FerryException {
    return start(store, host, port, ServerSettings.defaults());
  }

  /** The same with limits of the caller's. */
  public static WebFilesServer start(
      FileStore store, String host, int port, ServerSettings settings) throws FerryException {
    return start(store, host, port, settings, MethodSetup.of(Method.ZERO_COPY));
  }

  /**
   * The same with a choice of how chunks are treated.
   *
   * @param setup one that {@linkplain MethodSetup#handsOff hands off} is for gRPC-Web and
   *     gRPC-Web-Text, and leaves gRPC itself with {@link Method#RENTED_ARRAY}; others are for all
   *     three
   */
  public static WebFilesServer start(
      FileStore store, String host, int port, ServerSettings settings, MethodSetup<?> setup)
      throws FerryException {
    InetSocketAddress address = new InetSocketAddress(host, port);
    if (address.isUnresolved()) {
      throw cannotListen(host, port, "unknown host", null);
    }
    Refusals refusals = new Refusals();
    FilesEndpoint handOff = setup.handsOff() ? FilesEndpoint.handOff(store, setup, refusals) : null;
    FilesEndpoint endpoint =
        FilesEndpoint.of(
            store, handOff == null ? setup : MethodSetup.of(Method.RENTED_ARRAY), refusals);
    List<FilesEndpoint> endpoints =
        handOff == null ? List.of(endpoint) : List.of(endpoint, handOff);
    Connections connections = new Connections();
    AtomicInteger running = new AtomicInteger();
    // They read from disk and compute: more threads than this would only queue there.
    BlockingTaskExecutor workers =
        BlockingTaskExecutor.builder()
            .threadNamePrefix("ferry-web-worker")
            .numThreads(4 * Runtime.getRuntime().availableProcessors())
            .build();
    // Who falls silent is the business of StallGuard, which knows whose turn it is.
    ConnectionGuard guard = new ConnectionGuard(settings, refusals, null);
    ServerBuilder builder = transport(address, connections, workers, settings, guard);
    builder
        .service(
            grpc(endpoint, refusals),
            FrameGuard::new,
            next -> handOff == null ? next : new RawFiles(next, handOff))
        .serviceUnder(HttpRoutes.FILES, new FilesRoutes(store))
        .serviceUnder("/docs/", new DocService())
        .errorHandler(new WebErrors());
    Cors.decorator(settings.allowedOrigins()).ifPresent(builder::decorator);
    Duration stall = settings.stallTimeout();
    builder.decorator(
        (HttpService next) -> new StallGuard(next, stall, connections, running, refusals));
    AccessRules rules = AccessRules.of(settings, false, address);
    builder.decorator((HttpService next) -> new AccessGuard(next, rules));
    Server server = builder.build();
    try {
      server.start().join();
      return new WebFilesServer(server, workers, endpoints, connections, running, refusals);
    } catch (CompletionException e) {
      stop(server, workers, endpoints);
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw cannotListen(host, port, String.valueOf(cause.getMessage()), cause);
    }
  }

  private static ServerBuilder transport(
      InetSocketAddress address,
      Connections connections,
      BlockingTaskExecutor workers,
      ServerSettings settings,
      ConnectionGuard guard) {
    int processors = Runtime.getRuntime().availableProcessors();
    return Server.builder()
        .http(address)
        .defaultHostname(AccessGuard.NO_HOST)
        // Of its own: the meters of two servers in one JVM would clash.
        .meterRegistry(new SimpleMeterRegistry())
        .workerGroup(new QuickLoops("ferry-web", processors), true)
        .bossGroupFactory(name -> new QuickLoops("ferry-web-boss", 1))
        .blockingTaskExecutor(workers, false)
        .childChannelOption(ChannelOption.RCVBUF_ALLOCATOR, QuickLoops.reads())
        .childChannelPipelineCustomizer(
            pipeline -> {
              connections.add(pipeline.channel());
              ReadViews.addTo(pipeline);
              pipeline.addFirst(guard.newHandler());
            })
        // Armeria's 10 MiB and 10 s are not for files; StallGuard has the limits instead.
        .maxRequestLength(0)
        .requestTimeout(Duration.ZERO)
        .idleTimeout(settings.idleTimeout())
        .http1MaxInitialLineLength(MAX_REQUEST_LINE)
        .http1MaxHeaderSize(MAX_HEADERS)
        .http1MaxChunkSize(MAX_PIECE)
        .http2MaxHeaderListSize(MAX_HEADERS)
        .http2MaxFrameSize(MAX_PIECE)
        .http2MaxStreamsPerConnection(Limits.MAX_CALLS_PER_CONNECTION)
        .http2MaxResetFramesPerWindow(Limits.MAX_RESETS, (int) Limits.RESETS_PERIOD.toSeconds())
        .http2InitialStreamWindowSize(STREAM_WINDOW)
        .http2InitialConnectionWindowSize(CONNECTION_WINDOW)
        .disableServerHeader();
  }

  private static GrpcService grpc(FilesEndpoint endpoint, Refusals refusals) {
    HealthStatusManager health = new HealthStatusManager();
    health.setStatus(FilesGrpc.SERVICE_NAME, ServingStatus.SERVING);
    ReadableRequests readable = new ReadableRequests(refusals);
    return GrpcService.builder()
        .addService(endpoint.definition())
        .addService(readable.of(health.getHealthService().bindService()))
        .addService(ProtoReflectionServiceV1.newInstance())
        .supportedSerializationFormats(
            GrpcSerializationFormats.PROTO,
            GrpcSerializationFormats.PROTO_WEB,
            GrpcSerializationFormats.PROTO_WEB_TEXT)
        .maxRequestMessageLength(Limits.MAX_MESSAGE)
        .compressorRegistry(Codecs.compressors())
        .decompressorRegistry(Codecs.DECOMPRESSORS)
        .intercept(new DrainingInterceptor(), new ArrivedInterceptor())
        .exceptionHandler(new UnreadableRequests(readable))
        // Its handlers wait for the disk, and would hold up the other calls of an event loop.
        .useBlockingTaskExecutor(true)
        .build();
  }

  /** Names the reason, which Armeria and Netty wrap. */
  private static FerryException cannotListen(
      String host, int port, String reason, @Nullable Throwable cause) {
    for (Throwable t = cause; t != null; t = t.getCause()) {
      if (String.valueOf(t.getMessage()).toLowerCase(Locale.ROOT).contains("in use")) {
        return new FerryException(
            ErrorKind.UNAVAILABLE,
            "port " + port + " is in use on " + host + "; choose another, 0 picks a free one",
            cause);
      }
    }
    return new FerryException(
        ErrorKind.UNAVAILABLE, "cannot listen on " + host + ":" + port + ": " + reason, cause);
  }

  /** What was refused to clients of this port. */
  public Refusals refused() {
    return refusals;
  }

  /** The port it listens on. */
  public int port() {
    return server.activeLocalPort();
  }

  /** Waits 2 seconds at most for running requests, cuts those that are left, and stops. */
  @Override
  public void close() {
    waitWhile(() -> running.get() > 0, GRACE_MILLIS);
    closeNow();
  }

  /** Cuts every connection at once. */
  void closeNow() {
    // Armeria itself would reset streams with a code that says nothing of a server that ends.
    connections.cutAll();
    // While the event loops run: a worker that has written what it had asks its loop for more of
    // the body, and hears there that no more comes; what waits there is let go of then.
    waitWhile(() -> areBusy(workers), WORKERS_CLOSE_SECONDS * 1000);
    stop(server, workers, endpoints);
  }

  private static void waitWhile(BooleanSupplier busy, int mostMillis) {
    try {
      for (int waited = 0; busy.getAsBoolean() && waited < mostMillis; waited += POLL_MILLIS) {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean areBusy(BlockingTaskExecutor workers) {
    return workers.unwrap() instanceof ThreadPoolExecutor pool && pool.getActiveCount() > 0;
  }

  /** Workers outlive the server: requests that were cut have to let go of their files. */
  private static void stop(
      Server server, BlockingTaskExecutor workers, List<FilesEndpoint> endpoints) {
    server.stop().join();
    workers.shutdown();
    try {
      if (!workers.awaitTermination(WORKERS_CLOSE_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("requests are still being worked on after {} s", WORKERS_CLOSE_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    endpoints.forEach(FilesEndpoint::close);
  }
}
