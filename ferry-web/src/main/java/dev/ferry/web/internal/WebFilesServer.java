package dev.ferry.web.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.TransferOptions;
import dev.ferry.grpc.internal.BadMessages;
import dev.ferry.grpc.internal.FilesService;
import dev.ferry.grpc.internal.GrpcSetup;
import dev.ferry.http.internal.server.HttpServer;
import dev.ferry.http.internal.server.PortState;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.CallerStores;
import dev.ferry.wire.internal.DiskWorkers;
import dev.ferry.wire.internal.Refusals;
import dev.ferry.wire.internal.Requests;
import dev.ferry.wire.internal.TlsContexts;
import dev.ferry.wire.internal.v1.FilesGrpc;
import dev.ferry.zerocopy.ReadableRequests;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.util.List;
import java.util.function.Supplier;

/**
 * A file server over a store. It serves the routes of {@link
 * dev.ferry.wire.internal.contract.HttpRoutes}, the {@code Files} service over gRPC-Web and
 * gRPC-Web-Text, and the health service. All share one port with HTTP/1.1 and HTTP/2; see {@link
 * HttpServer}.
 *
 * <p>The server has its own event loops and its own threads for disk access. Files may have any
 * size. A slow reader or a slow disk occupies an amount of memory that does not depend on the file
 * size. A client that neither sends nor reads a byte for the configured time is disconnected.
 * Thread-safe.
 */
public final class WebFilesServer extends HttpServer {
  private final HealthStatusManager health;

  private WebFilesServer(
      String host,
      int port,
      ServerSettings settings,
      CallerStores stores,
      Requests requests,
      Supplier<WebHandler> handlers,
      DiskWorkers workers,
      PortState state,
      GrpcSetup setup,
      HealthStatusManager health)
      throws FerryException {
    super(
        "ferry-web",
        host,
        port,
        settings,
        stores.refusals(),
        requests,
        handlers,
        workers::queued,
        () -> {
          state.stop();
          stores.digests().stop();
          workers.stop();
          setup.format().close();
        });
    this.health = health;
  }

  /**
   * Starts a server with the given limits, and with TLS if the settings have a certificate.
   *
   * @param host the address or host name to listen on
   * @param port the port to listen on; 0 selects a free port
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if the server cannot listen on the
   *     port
   */
  public static WebFilesServer start(
      FileStore store, String host, int port, ServerSettings settings) throws FerryException {
    return start(store, host, port, settings, GrpcSetup.ofServer());
  }

  /**
   * Starts a server with a given setup of its messages.
   *
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if the server cannot listen on the
   *     port
   */
  public static WebFilesServer start(
      FileStore store, String host, int port, ServerSettings settings, GrpcSetup setup)
      throws FerryException {
    Refusals refusals = new Refusals();
    Requests requests = new Requests(settings.listener());
    DiskWorkers workers = DiskWorkers.start("ferry-web-disk", store);
    CallerStores stores = new CallerStores(store, settings.callers(), refusals, workers::of);
    GrpcSetup batching = setup.batching(true);
    HealthStatusManager health = new HealthStatusManager();
    health.setStatus(FilesGrpc.SERVICE_NAME, ServingStatus.SERVING);
    WebService service =
        WebService.of(
            List.of(
                new FilesService(stores, batching, requests).bind(),
                ReadableRequests.of(
                    health.getHealthService().bindService(), new BadMessages(refusals))),
            batching.framing(),
            call -> {
              Channel channel = call.context().channel();
              return workers.of(
                  stores.holder(
                      call.fields().getAll(HttpHeaderNames.AUTHORIZATION),
                      TlsContexts.session(channel),
                      channel.remoteAddress()));
            },
            store.isRemote());
    PortState state = new PortState(stores, TransferOptions.DEFAULT.chunkSize());
    WebHandler handler = new WebHandler(state, service);
    return new WebFilesServer(
        host, port, settings, stores, requests, () -> handler, workers, state, setup, health);
  }

  @Override
  protected void drains() {
    health.enterTerminalState();
  }
}
