package dev.ferry.web;

import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.grpc.internal.GrpcSetup;
import dev.ferry.http.HttpProtocol;
import dev.ferry.web.internal.WebCarriers;
import dev.ferry.web.internal.WebFilesServer;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.Servers;
import dev.ferry.wire.Token;
import dev.ferry.wire.internal.servers.ServersCarrier;
import org.jspecify.annotations.Nullable;

/**
 * Creates clients and servers that transfer files over gRPC-Web and gRPC-Web-Text on Netty, in
 * plain text or over TLS.
 */
public final class WebFiles {
  private WebFiles() {}

  /**
   * Creates a plaintext client. It connects with its first call. The caller closes the client.
   *
   * @param host a host name or an IP address
   */
  public static Carrier connect(String host, int port, WebFormat format, HttpProtocol protocol) {
    return connect(host, port, format, protocol, null);
  }

  /**
   * Creates a client. It connects with its first call. The caller closes the client.
   *
   * @param host a host name or an IP address, for which the server has a certificate
   * @param tls the servers to trust; null for plain text
   */
  public static Carrier connect(
      String host, int port, WebFormat format, HttpProtocol protocol, @Nullable ClientTls tls) {
    return connect(host, port, format, protocol, tls, null);
  }

  /**
   * Creates a client as {@link #connect(String, int, WebFormat, HttpProtocol, ClientTls)}, of a
   * caller that the server knows.
   *
   * @param token sent with each request; null for none
   * @throws IllegalArgumentException if the token {@linkplain Token#maySendTo may not be sent}
   */
  public static Carrier connect(
      String host,
      int port,
      WebFormat format,
      HttpProtocol protocol,
      @Nullable ClientTls tls,
      @Nullable Token token) {
    return WebCarriers.connect(host, port, "", format, protocol, GrpcSetup.ofClient(), tls, token);
  }

  /**
   * Creates a client of several servers that serve the same store, as {@link
   * dev.ferry.http.HttpFiles#connect(Servers, ClientTls, Token)} does. With one server, it stays a
   * client of that one if a host name has more addresses later.
   *
   * @param servers the servers; each has a certificate for the host of its address
   * @param tls the servers to trust; null for plain text
   * @param token sent with each request; null for none
   * @throws IllegalArgumentException if the token {@linkplain Token#maySendTo may not be sent}
   */
  public static Carrier connect(
      Servers servers,
      WebFormat format,
      HttpProtocol protocol,
      @Nullable ClientTls tls,
      @Nullable Token token) {
    return ServersCarrier.of(
        servers,
        token,
        tls != null,
        only ->
            WebCarriers.connect(
                only.host(),
                only.port(),
                servers.basePath(),
                format,
                protocol,
                GrpcSetup.ofClient(),
                tls,
                token),
        server ->
            WebCarriers.connect(
                server, servers.basePath(), format, protocol, GrpcSetup.ofClient(), tls, token));
  }

  /**
   * Starts a server for gRPC-Web. On the same port it also serves everything that {@link
   * dev.ferry.http.HttpFiles#serve} serves, over HTTP/1.1 and HTTP/2. Health needs no token.
   *
   * @param host the address or host name to listen on
   * @param port the port to listen on; 0 selects a free port
   * @param settings the limits, the certificate if the server speaks TLS, and the callers
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if the server cannot listen on the
   *     port
   */
  public static ServerPort serve(FileStore store, String host, int port, ServerSettings settings)
      throws FerryException {
    return WebFilesServer.start(store, host, port, settings);
  }
}
