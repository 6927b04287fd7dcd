package dev.ferry.web.internal;

import dev.ferry.contract.v1.FilesGrpc;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileServer;
import dev.ferry.core.FileStore;
import dev.ferry.core.TransferOptions;
import dev.ferry.grpc.internal.FilesEndpoint;
import dev.ferry.grpc.internal.Method;
import dev.ferry.grpc.internal.MethodSetup;
import dev.ferry.grpc.internal.ReadableRequests;
import dev.ferry.http.internal.server.DiskWorkers;
import dev.ferry.http.internal.server.HttpServer;
import dev.ferry.net.ServerSettings;
import dev.ferry.net.internal.Refusals;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import java.util.List;
import java.util.concurrent.ExecutorService;

/**
 * A server of files over a store in plain text: the routes of {@link
 * dev.ferry.contract.HttpRoutes}, and the {@code Files} service over gRPC-Web and gRPC-Web-Text,
 * with health beside it. All of it on one port over HTTP/1.1 and HTTP/2, as {@link HttpServer} has
 * them.
 *
 * <p>It has event loops of its own and threads of its own for the disk. A file of any size passes;
 * a slow reader or a slow disk costs memory that does not grow with it, and who neither sends nor
 * takes a byte for the settings' time is dropped. Thread-safe.
 */
public final class WebFilesServer implements FileServer {
  private final HttpServer server;

  private WebFilesServer(HttpServer server) {
    this.server = server;
  }

  /**
   * Starts a server that pages of other origins cannot use.
   *
   * @param host address or name to listen on
   * @param port port to listen on; 0 picks a free one
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if it cannot listen there
   */
  public static WebFilesServer start(FileStore store, String host, int port) throws FerryException {
    return start(store, host, port, ServerSettings.defaults());
  }

  /**
   * The same with limits of the caller's.
   *
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if it cannot listen there
   */
  public static WebFilesServer start(
      FileStore store, String host, int port, ServerSettings settings) throws FerryException {
    return start(store, host, port, settings, MethodSetup.of(Method.ZERO_COPY));
  }

  /**
   * The same with a setup of the lab's.
   *
   * @param setup one that {@linkplain MethodSetup#handsOff hands off}
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if it cannot listen there
   * @throws IllegalArgumentException if the setup does not hand off
   */
  public static WebFilesServer start(
      FileStore store, String host, int port, ServerSettings settings, MethodSetup<?> setup)
      throws FerryException {
    if (!setup.handsOff()) {
      throw new IllegalArgumentException("gRPC-Web hands its messages off; take ZeroCopy");
    }
    Refusals refusals = new Refusals();
    FilesEndpoint endpoint = FilesEndpoint.handOff(store, setup, refusals);
    ExecutorService workers = DiskWorkers.start("ferry-web-disk");
    HealthStatusManager health = new HealthStatusManager();
    health.setStatus(FilesGrpc.SERVICE_NAME, ServingStatus.SERVING);
    WebService service =
        WebService.of(
            List.of(
                endpoint.definition(),
                new ReadableRequests(refusals).of(health.getHealthService().bindService())),
            endpoint.framing(),
            workers);
    int bufferSize = TransferOptions.DEFAULT.chunkSize();
    return new WebFilesServer(
        HttpServer.start(
            "ferry-web",
            host,
            port,
            null,
            settings,
            refusals,
            () -> new WebHandler(store, workers, bufferSize, service),
            () -> {
              DiskWorkers.stop(workers);
              endpoint.close();
            }));
  }

  /** What was refused to clients of this port. */
  public Refusals refused() {
    return server.refused();
  }

  @Override
  public int port() {
    return server.port();
  }

  /**
   * Stops: takes no more requests, gives running ones 2 seconds, cuts those that are left, and
   * returns when threads and buffers are released, within some 10 seconds at worst. A second call
   * does nothing.
   */
  @Override
  public void close() {
    server.close();
  }

  /** Cuts every connection at once. */
  void closeNow() {
    server.closeNow();
  }
}
