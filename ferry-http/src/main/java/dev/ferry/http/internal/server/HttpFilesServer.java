package dev.ferry.http.internal.server;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.CallerStores;
import dev.ferry.wire.internal.DiskWorkers;
import dev.ferry.wire.internal.Refusals;
import dev.ferry.wire.internal.Requests;

/**
 * A file server over a store, with the routes of {@link
 * dev.ferry.wire.internal.contract.HttpRoutes}. It supports HTTP/1.1 and, on the same port, HTTP/2
 * by ALPN, with prior knowledge or by {@code Upgrade: h2c} of a request without a body.
 *
 * <p>Over HTTP/1.1 in plaintext, uncompressed files are sent with {@code sendfile}, unless their
 * digest follows them. Over HTTP/2 and TLS, they are sent from pooled direct buffers of 256 KiB.
 * Received data is gathered to writes of 256 KiB. A small file is read with the head of its
 * response, or written when all of it has arrived, on the event loop unless the store is slow. The
 * server has its own event loops and its own threads for disk access and gzip. A slow or silent
 * peer occupies an amount of memory that does not depend on the file size. It is disconnected if no
 * byte is transferred for the configured time. Netty's codec was measured beside other servers
 * (docs/results/design.md), since a weak one would make the ratios of the bench worthless.
 * Thread-safe.
 */
public final class HttpFilesServer extends HttpServer {
  private HttpFilesServer(
      String host,
      int port,
      ServerSettings settings,
      DiskWorkers workers,
      PortState state,
      RequestHandler handler)
      throws FerryException {
    super(
        "ferry-http",
        host,
        port,
        settings,
        state.stores().refusals(),
        new Requests(settings.listener()),
        () -> handler,
        workers::queued,
        () -> {
          state.stop();
          state.stores().digests().stop();
          workers.stop();
        });
  }

  /**
   * Starts a server with the given limits, and with TLS if the settings have a certificate.
   *
   * @param host the address or host name to listen on
   * @param port the port to listen on; 0 selects a free port
   * @param bufferSize bytes of one copy of a compressed download; other transfers do not use it; at
   *     least 1
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if the server cannot listen on the
   *     port
   */
  public static HttpFilesServer start(
      FileStore store, String host, int port, int bufferSize, ServerSettings settings)
      throws FerryException {
    if (bufferSize < 1) {
      throw new IllegalArgumentException("buffer size " + bufferSize + " is not positive");
    }
    DiskWorkers workers = DiskWorkers.start("ferry-http-disk", store);
    CallerStores stores = new CallerStores(store, settings.callers(), new Refusals(), workers::of);
    PortState state = new PortState(stores, bufferSize);
    return new HttpFilesServer(host, port, settings, workers, state, new FilesHandler(state));
  }
}
