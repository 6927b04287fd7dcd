package dev.ferry.http.internal.http1;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Outage;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferBatch;
import dev.ferry.core.TransferOptions;
import dev.ferry.http.HttpProtocol;
import dev.ferry.http.internal.Call;
import dev.ferry.http.internal.Closing;
import dev.ferry.http.internal.HttpCarrier;
import dev.ferry.http.internal.IncomingResponse;
import dev.ferry.http.internal.OutgoingRequest;
import dev.ferry.http.internal.Receiver;
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
 * Transfers files over HTTP/1.1 on the thread of the caller, through one direct buffer for each
 * connection. It starts no thread and has few classes, so the first transfer of a process is about
 * as fast as later ones: the bytes are moved by system calls, which need no compiler.
 *
 * <p>After an interrupt, the interrupt status of the calling thread is set. Thread-safe.
 */
public final class Http1Carrier extends HttpCarrier {
  /**
   * Methods whose requests are repeated on a new connection if a kept one has ended. Others may
   * have been executed.
   */
  private static final Set<String> REPEATABLE = Set.of("GET", "HEAD");

  private final Endpoint endpoint;
  private final Duration connectTimeout;
  private final String basePath;
  private final @Nullable String authorization;
  private final @Nullable ClientEngines engines;
  private final ConnectionPool pool = new ConnectionPool();
  private final @Nullable ProxySelector proxies;

  /** Whether the server heeds {@code Expect: 100-continue}, as far as is known. */
  private volatile boolean asks = true;

  /** Whether the server takes trailer fields, and all proxies before it, as far as is known. */
  private volatile boolean takesTrailers;

  /**
   * @param basePath that of the server; empty for none
   * @param proxies null for none
   */
  Http1Carrier(
      Endpoint endpoint,
      String basePath,
      boolean several,
      @Nullable ClientTls tls,
      @Nullable Token token,
      @Nullable ProxySelector proxies) {
    super(endpoint.address().host(), endpoint.address().port(), tls != null);
    this.endpoint = endpoint;
    this.basePath = basePath;
    this.proxies = proxies;
    connectTimeout = several ? Reachability.CONNECT_TIMEOUT : CONNECT_TIMEOUT;
    authorization =
        token == null ? null : token.authorization(endpoint.address().host(), tls != null);
    engines = tls == null ? null : new ClientEngines(tls, endpoint.address());
    if (several && !isProxied()) {
      leaveIfGone(endpoint);
    }
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

  /**
   * Creates a carrier that connects with its first request.
   *
   * @param host a host name or an IP address
   * @param basePath that of the server; empty for none
   * @param tls null for plaintext
   * @param token sent with each request; null for none
   * @throws IllegalArgumentException if the token {@linkplain Token#maySendTo may not be sent}
   */
  public static Http1Carrier connect(
      String host, int port, String basePath, @Nullable ClientTls tls, @Nullable Token token) {
    return new Http1Carrier(
        new Endpoint(new Address(host, port), null),
        basePath,
        false,
        tls,
        token,
        ProxySelector.getDefault());
  }

  /**
   * Creates a carrier to one of several servers.
   *
   * @param basePath that of the servers; empty for none
   * @throws IllegalArgumentException if the token {@linkplain Token#maySendTo may not be sent}
   */
  public static Http1Carrier connect(
      Endpoint server, String basePath, @Nullable ClientTls tls, @Nullable Token token) {
    return new Http1Carrier(server, basePath, true, tls, token, ProxySelector.getDefault());
  }

  @Override
  protected boolean takesTrailers() {
    return takesTrailers;
  }

  @Override
  public Transfer fetch(Receiver receiver, OutgoingRequest request) throws FerryException {
    receiver.call().expect();
    IncomingResponse response = send(receiver.call(), request);
    TransferOptions options = receiver.options();
    if (options.rateLimit() != null && response.body() instanceof ResponseBody body) {
      // The transfer waits after each write.
      body.limitWrites(options.chunkSize());
    }
    return receive(receiver, response);
  }

  @Override
  protected IncomingResponse send(Call call, OutgoingRequest request) throws FerryException {
    requireOpen();
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

  @Override
  public void transferAll(TransferBatch batch) throws FerryException {
    new Pipeline(this, batch).run();
  }

  /** Throws if the carrier is closed. */
  void checkOpen() throws FerryException {
    requireOpen();
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

  private Connection connect(Call call) throws IOException {
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
      return Proxies.to(endpoint.address(), tls(), proxies);
    } catch (IllegalArgumentException e) {
      throw new FerryException(ErrorKind.INVALID_REQUEST, String.valueOf(e.getMessage()), e);
    }
  }

  private String origin() {
    return (tls() ? "https://" : "http://") + host();
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
          "the proxy %s does not connect to %s (HTTP %d)"
              .formatted(proxy, server(), head.status()));
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
    int zone = server().indexOf('%');
    return zone < 0
        ? server()
        : server().substring(0, zone) + server().substring(server().indexOf(']'));
  }

  @Override
  protected void release() {
    pool.close();
  }
}
