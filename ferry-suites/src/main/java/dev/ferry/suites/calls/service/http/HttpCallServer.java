package dev.ferry.suites.calls.service.http;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.http.internal.server.HttpServer;
import dev.ferry.suites.calls.service.Backend;
import dev.ferry.suites.calls.service.ConcurrencyLimiter;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.ServerTls;
import org.jspecify.annotations.Nullable;

/**
 * A server for small calls with JSON over HTTP/1.1 and HTTP/2, with the routes of {@link
 * CallRoutes}. Requests are handled on its event loops. Requests beyond the limits of the {@link
 * ConcurrencyLimiter}, for instance because slow clients do not read, are rejected immediately with
 * {@link ErrorKind#OVERLOADED}. Thread-safe.
 */
public final class HttpCallServer {
  private HttpCallServer() {}

  /**
   * Starts a server, with or without TLS.
   *
   * @param host address or name of the interface to listen on
   * @param port 0 selects a free port
   * @param tls the certificate; null for plaintext
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if it cannot listen there
   */
  public static HttpServer start(Backend backend, String host, int port, @Nullable ServerTls tls)
      throws FerryException {
    return start(
        backend, host, port, new ConcurrencyLimiter(), ServerSettings.defaults().withTls(tls));
  }

  static HttpServer start(
      Backend backend, String host, int port, ConcurrencyLimiter limiter, ServerSettings settings)
      throws FerryException {
    return HttpServer.start(
        "ferry-calls-http",
        host,
        port,
        settings,
        () -> new CallsHandler(backend, limiter),
        () -> {});
  }
}
