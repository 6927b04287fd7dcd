package dev.ferry.http.internal.http1;

import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Outage;
import dev.ferry.http.HttpProtocol;
import dev.ferry.http.internal.Call;
import dev.ferry.http.internal.Closing;
import dev.ferry.http.internal.HostAndPort;
import dev.ferry.http.internal.IncomingResponse;
import dev.ferry.http.internal.OutgoingRequest;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.Servers.Address;
import dev.ferry.wire.Servers.Endpoint;
import dev.ferry.wire.Token;
import dev.ferry.wire.internal.contract.HttpRoutes;
import dev.ferry.wire.internal.servers.Connecting;
import dev.ferry.wire.internal.servers.Proxies;
import dev.ferry.wire.internal.servers.Reachability;
import java.io.IOException;
import java.net.ProxySelector;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of a carrier to its server over HTTP/1.1, by a proxy or without, on kept
 * connections or new ones. A request blocks its thread, and goes through one direct buffer for each
 * connection. Thread-safe.
 */
class Http1Client {
  /**
   * Methods whose requests are repeated on a new connection if a kept one has ended. Others may
   * have been executed.
   */
  private static final Set<String> REPEATABLE = Set.of("GET", "HEAD");

  private final Endpoint endpoint;
  private final String server;
  private final boolean tls;
  private final boolean leavesIfGone;
  private final Duration connectTimeout;
  private final String basePath;
  private final @Nullable String authorization;
  private final @Nullable ClientEngines engines;
  private final ConnectionPool pool = new ConnectionPool();
  private final @Nullable ProxySelector proxies;

  /** Whether the server heeds {@code Expect: 100-continue}, as far as is known. */
  private volatile boolean asks = true;

  private volatile boolean takesTrailers;

  /**
   * @param basePath that of the server; empty for none
   * @param several whether the server is one of several
   * @param proxies null for none
   */
  Http1Client(
      Endpoint endpoint,
      String basePath,
      boolean several,
      @Nullable ClientTls tls,
      @Nullable Token token,
      @Nullable ProxySelector proxies) {
    this.endpoint = endpoint;
    this.server = HostAndPort.of(endpoint.address().host(), endpoint.address().port());
    this.tls = tls != null;
    this.basePath = basePath;
    this.proxies = proxies;
    connectTimeout = several ? Reachability.CONNECT_TIMEOUT : Carrier.CONNECT_TIMEOUT;
    authorization =
        token == null ? null : token.authorization(endpoint.address().host(), tls != null);
    engines = tls == null ? null : new ClientEngines(tls, endpoint.address());
    leavesIfGone = several && !isProxied();
  }

  /** Returns {@code host:port} of the server. */
  String server() {
    return server;
  }

  /** Whether the client uses TLS. */
  boolean tls() {
    return tls;
  }

  /**
   * Returns the server that calls leave soon if it is gone, since there are others; null for none.
   */
  @Nullable Endpoint oneOfSeveral() {
    return leavesIfGone ? endpoint : null;
  }

  /** Whether the server is reached by a proxy. It may not be reachable without. */
  private boolean isProxied() {
    try {
      return proxy() != null;
    } catch (FerryException e) {
      // Each request says what is wrong with the proxy.
      return true;
    }
  }

  /** Whether the server takes trailer fields, and all proxies before it, as far as is known. */
  boolean takesTrailers() {
    return takesTrailers;
  }

  /**
   * Sends a request and waits for the head of the response. The caller closes the body. If it is
   * closed before its end, the connection is not used again.
   *
   * @throws FerryException as created by {@link Call#failure}
   */
  IncomingResponse send(Call call, OutgoingRequest request) throws FerryException {
    Connection kept = pool.take();
    if (kept != null) {
      try {
        return exchange(call, request, kept);
      } catch (IOException e) {
        FerryException failure = call.failure(e, ErrorKind.UNAVAILABLE);
        if (kept.reader().begun() || !REPEATABLE.contains(request.method())) {
          throw failure;
        }
        call.check();
      }
    }
    try {
      return exchange(call, request, connect(call));
    } catch (IOException e) {
      throw call.failure(e, ErrorKind.UNAVAILABLE);
    }
  }

  /** Returns a connection for many requests: a kept one, or a new one. */
  Connection connection(Call call) throws IOException {
    Connection kept = pool.take();
    Connection connection = kept == null ? connect(call) : kept;
    connection.hold();
    return connection;
  }

  /** Returns the head of a request with a body of this length. */
  byte[] head(Connection connection, OutgoingRequest request, long length) throws FerryException {
    OutgoingRequest sent = request.under(basePath);
    return RequestWriter.head(sent, target(connection, sent), host(), authorization, length, false);
  }

  private String target(Connection connection, OutgoingRequest sent) {
    return connection.isProxied() ? origin() + sent.rawPath() : sent.rawPath();
  }

  /** Opens a connection. */
  Connection connect(Call call) throws IOException {
    Address proxy = proxy();
    SocketChannel channel = reach(call, proxy);
    try {
      call.during(channel);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      BlockingTransport wire = new PlainTransport(channel);
      if (engines == null) {
        return new Connection(wire, proxy != null, pool);
      }
      if (proxy != null) {
        tunnel(wire, proxy);
      }
      return new Connection(TlsTransport.open(wire, engines.create()), false, pool);
    } catch (IOException | RuntimeException e) {
      Closing.quietly(channel);
      throw e;
    }
  }

  /** Connects to the server, or to the proxy before it. */
  private SocketChannel reach(Call call, @Nullable Address proxy) throws IOException {
    Connecting connecting = new Connecting();
    call.during(connecting);
    try {
      Endpoint peer = proxy == null ? endpoint : new Endpoint(proxy, null);
      return connecting.to(peer.socketAddresses(), connectTimeout);
    } catch (IOException e) {
      throw proxy == null ? e : unreached(proxy, e);
    }
  }

  private static FerryException unreached(Address proxy, IOException failure) {
    String reason = failure instanceof UnknownHostException ? "no such host" : failure.getMessage();
    return new FerryException(
        ErrorKind.UNAVAILABLE,
        Outage.NO_CONNECTION,
        "no connection by the proxy " + proxy + " (" + reason + ")",
        failure);
  }

  /** Returns the proxy that leads to the server; null for none. */
  private @Nullable Address proxy() throws FerryException {
    try {
      return Proxies.to(endpoint.address(), tls, proxies);
    } catch (IllegalArgumentException e) {
      throw new FerryException(ErrorKind.INVALID_REQUEST, String.valueOf(e.getMessage()), e);
    }
  }

  private String origin() {
    return (tls ? "https://" : "http://") + host();
  }

  /** Has a proxy pass the bytes of a connection to the server. */
  private void tunnel(BlockingTransport wire, Address proxy) throws FerryException {
    OutgoingRequest request = new OutgoingRequest("CONNECT", host(), Map.of());
    Connection asking = new Connection(wire, false, pool);
    ResponseHead head;
    try {
      head = new RequestWriter(asking, request, false).send(host(), host(), null);
    } catch (IOException e) {
      throw e instanceof FerryException ferry ? ferry : unreached(proxy, e);
    }
    asking.giveBuffer();
    if (head.status() >= 300) {
      throw new FerryException(
          ErrorKind.UNAVAILABLE,
          "the proxy %s does not connect to %s (HTTP %d)".formatted(proxy, server, head.status()));
    }
  }

  private IncomingResponse exchange(Call call, OutgoingRequest request, Connection connection)
      throws IOException {
    try {
      call.during(connection);
      OutgoingRequest sent = request.under(basePath);
      RequestWriter writer = new RequestWriter(connection, sent, asks);
      ResponseHead head = writer.send(target(connection, sent), host(), authorization);
      if (writer.askedInVain()) {
        asks = false;
      }
      takesTrailers |= HttpRoutes.YES.equals(head.get(HttpRoutes.TRAILERS));
      if (writer.refusesToBeAsked()) {
        Closing.quietly(connection);
        return exchange(call, request, connect(call));
      }
      ResponseBody body =
          new ResponseBody(connection, connection.reader(), head, request.method(), call::moved);
      // From when the connection is kept, this call must not close it.
      call.during(body);
      body.begin();
      return new IncomingResponse(head.status(), head, HttpProtocol.HTTP_1_1, body);
    } catch (IOException | RuntimeException e) {
      Closing.quietly(connection);
      throw e;
    }
  }

  /** Returns the server without the zone of an IPv6 address, which is of this machine alone. */
  private String host() {
    int zone = server.indexOf('%');
    return zone < 0 ? server : server.substring(0, zone) + server.substring(server.indexOf(']'));
  }

  /** Closes the kept connections. All calls were stopped before. May be called more than once. */
  void close() {
    pool.close();
  }
}
