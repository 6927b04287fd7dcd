package dev.ferry.calls.http;

import dev.ferry.calls.Backend;
import dev.ferry.calls.ConcurrencyLimiter;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.http.internal.server.HttpServer;
import dev.ferry.net.ServerSettings;
import io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;

/**
 * A server of small calls as JSON, with the routes of {@link dev.ferry.contract.CallRoutes}, over
 * HTTP/1.1 and HTTP/2. Requests are answered on its event loops; those that there is no {@link
 * Room} for, because of readers that do not read, are turned away at once, as {@link
 * ErrorKind#OVERLOADED}. Thread-safe.
 */
public final class HttpCallServer implements AutoCloseable {
  private final HttpServer server;

  private HttpCallServer(HttpServer server) {
    this.server = server;
  }

  /**
   * Starts a server.
   *
   * @param host address or name to listen on
   * @param port 0 picks a free one
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} where it cannot listen there
   */
  public static HttpCallServer start(Backend backend, String host, int port) throws FerryException {
    return start(backend, host, port, null);
  }

  /**
   * The same over TLS.
   *
   * @param tls of a server, with its certificate; null for plain text
   */
  public static HttpCallServer start(
      Backend backend, String host, int port, @Nullable SslContext tls) throws FerryException {
    return start(backend, host, port, tls, new ConcurrencyLimiter(), ServerSettings.defaults());
  }

  static HttpCallServer start(
      Backend backend,
      String host,
      int port,
      @Nullable SslContext tls,
      ConcurrencyLimiter room,
      ServerSettings settings)
      throws FerryException {
    return new HttpCallServer(
        HttpServer.start(
            "ferry-calls-http",
            host,
            port,
            tls,
            settings,
            () -> new CallsHandler(backend, room),
            () -> {}));
  }

  /** The port it listens on. */
  public int port() {
    return server.port();
  }

  /** Takes no more requests, gives running ones 2 seconds, and cuts those that are left. */
  @Override
  public void close() {
    server.close();
  }

  /** Cuts every connection at once. */
  void closeNow() {
    server.closeNow();
  }
}
