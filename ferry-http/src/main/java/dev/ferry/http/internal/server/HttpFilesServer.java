package dev.ferry.http.internal.server;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileServer;
import dev.ferry.core.FileStore;
import dev.ferry.net.ServerSettings;
import dev.ferry.net.internal.Refusals;
import java.util.concurrent.ExecutorService;

/**
 * A server of files over a store in plain text, with the routes of {@link
 * dev.ferry.contract.HttpRoutes}: HTTP/1.1, and HTTP/2 on the same port, by prior knowledge or by
 * {@code Upgrade: h2c} of a request without a body.
 *
 * <p>Over HTTP/1.1 files go out by {@code sendfile} unless they are compressed, over HTTP/2 from
 * pooled direct buffers of 256 KiB; what comes in is gathered to writes of 256 KiB. It has event
 * loops of its own and threads of its own for the disk and for gzip; a slow reader or a silent peer
 * costs memory that does not grow with the file, and is dropped after the settings' time without a
 * byte. docs/http-server.md says why it is built so. Thread-safe.
 */
public final class HttpFilesServer implements FileServer {
  private final HttpServer server;

  private HttpFilesServer(HttpServer server) {
    this.server = server;
  }

  /**
   * Starts a server in plain text.
   *
   * @param host address or name to listen on
   * @param port port to listen on; 0 picks a free one
   * @param bufferSize bytes of one copy where bytes are copied at all: of a download that is
   *     compressed; at least 1
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} where it cannot listen there
   */
  public static HttpFilesServer start(FileStore store, String host, int port, int bufferSize)
      throws FerryException {
    return start(store, host, port, bufferSize, ServerSettings.defaults());
  }

  /**
   * The same with limits of the caller's.
   *
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} where it cannot listen there
   */
  public static HttpFilesServer start(
      FileStore store, String host, int port, int bufferSize, ServerSettings settings)
      throws FerryException {
    if (bufferSize < 1) {
      throw new IllegalArgumentException("buffer size " + bufferSize + " is not positive");
    }
    ExecutorService workers = DiskWorkers.start("ferry-http-disk");
    return new HttpFilesServer(
        HttpServer.start(
            "ferry-http",
            host,
            port,
            null,
            settings,
            () -> new FilesHandler(store, workers, bufferSize),
            () -> DiskWorkers.stop(workers)));
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
   * Stops: takes no more requests, gives running transfers 2 seconds, cuts those that are left, and
   * returns when threads and buffers are released, within some 10 seconds at worst. A second call
   * does nothing.
   */
  @Override
  public void close() {
    server.close();
  }

  /** Cuts every connection at once. */
  public void closeNow() {
    server.closeNow();
  }
}
