package dev.ferry.web.internal;

import dev.ferry.core.Carrier;
import dev.ferry.grpc.internal.GrpcCarrier;
import dev.ferry.grpc.internal.GrpcSetup;
import dev.ferry.grpc.internal.message.Framing;
import dev.ferry.grpc.internal.transport.OneOfServers;
import dev.ferry.http.HttpProtocol;
import dev.ferry.http.internal.HostAndPort;
import dev.ferry.web.WebFormat;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.Servers;
import dev.ferry.wire.Servers.Endpoint;
import dev.ferry.wire.Token;
import dev.ferry.wire.internal.TlsContexts;
import dev.ferry.wire.internal.servers.Reachability;
import org.jspecify.annotations.Nullable;

/**
 * Creates carriers that transfer files over gRPC-Web with HTTP/1.1, or with HTTP/2 by prior
 * knowledge or ALPN. Buffers are handed off between files and sockets. Uploads also work if the
 * server supports them as Ferry's does. Browsers cannot send them.
 *
 * <p>A carrier has its own event loops, which also read and write files. It connects with the first
 * call. It uses one HTTP/2 connection, or one HTTP/1.1 connection per concurrent call.
 */
public final class WebCarriers {
  private WebCarriers() {}

  /**
   * Creates a carrier. It connects on the first call.
   *
   * @param host an IP address or a host name
   * @param basePath that of the server; empty for none
   * @param tls null for plaintext
   * @param token sent with each call; null for none
   * @throws IllegalArgumentException if the token {@linkplain Token#maySendTo may not be sent}
   */
  public static Carrier connect(
      String host,
      int port,
      String basePath,
      WebFormat format,
      HttpProtocol protocol,
      GrpcSetup setup,
      @Nullable ClientTls tls,
      @Nullable Token token) {
    Endpoint server = new Endpoint(new Servers.Address(host, port), null);
    return connect(server, null, basePath, format, protocol, setup, tls, token);
  }

  /**
   * Creates a carrier to one of several servers.
   *
   * @param basePath that of the servers; empty for none
   * @param tls null for plaintext
   * @param token sent with each call; null for none
   * @throws IllegalArgumentException if the token {@linkplain Token#maySendTo may not be sent}
   */
  public static Carrier connect(
      Endpoint server,
      String basePath,
      WebFormat format,
      HttpProtocol protocol,
      GrpcSetup setup,
      @Nullable ClientTls tls,
      @Nullable Token token) {
    OneOfServers several = new OneOfServers(server.address().toString(), server);
    return connect(server, several, basePath, format, protocol, setup, tls, token);
  }

  private static Carrier connect(
      Endpoint endpoint,
      @Nullable OneOfServers several,
      String basePath,
      WebFormat format,
      HttpProtocol protocol,
      GrpcSetup setup,
      @Nullable ClientTls tls,
      @Nullable Token token) {
    String host = endpoint.address().host();
    String authorization = token == null ? null : token.authorization(host, tls != null);
    String server = HostAndPort.of(host, endpoint.address().port());
    boolean text = format == WebFormat.GRPC_WEB_TEXT;
    Framing framing = setup.framing();
    WebChannel channel =
        new WebChannel(
            connections(endpoint, several != null, protocol, framing, tls),
            server,
            basePath,
            protocol.wireName(tls != null),
            text,
            framing);
    return new GrpcCarrier(channel, setup.batching(true), authorization, several);
  }

  private static WebConnections connections(
      Endpoint server,
      boolean several,
      HttpProtocol protocol,
      Framing framing,
      @Nullable ClientTls tls) {
    String alpn = protocol == HttpProtocol.H2C ? TlsContexts.H2 : TlsContexts.HTTP_1_1;
    WebSockets sockets =
        new WebSockets(
            server,
            several ? Reachability.CONNECT_TIMEOUT : Carrier.CONNECT_TIMEOUT,
            framing.allocator(),
            tls == null ? null : TlsContexts.client(tls, alpn));
    return switch (protocol) {
      case HTTP_1_1 -> new Http1Connections(sockets);
      case H2C -> new Http2Connections(sockets);
    };
  }
}
