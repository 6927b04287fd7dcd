package dev.ferry.http;

import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.TransferOptions;
import dev.ferry.http.internal.http1.Http1Carrier;
import dev.ferry.http.internal.server.HttpFilesServer;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.Servers;
import dev.ferry.wire.Token;
import dev.ferry.wire.internal.servers.ServersCarrier;
import org.jspecify.annotations.Nullable;

/**
 * Clients of files over HTTP/1.1, and servers over HTTP/1.1 and HTTP/2, in plain text or over TLS.
 *
 * <p>The client starts fastest, blocks its callers, needs no library but the JDK, and goes through
 * proxies: take it for programs that move some files and end, and toward servers that are not
 * Ferry's. Take gRPC ({@code GrpcFiles}) for many transfers at once on few threads, beside other
 * calls on one connection.
 */
public final class HttpFiles {
  private HttpFiles() {}

  /**
   * Makes a plaintext client, which connects with its first request. The caller closes it. It
   * blocks the threads of its callers and starts almost none of its own. Each call that runs has a
   * connection. It heeds the proxies of {@code ProxySelector}, except to this machine.
   *
   * @param host a name or an address
   */
  public static Carrier connect(String host, int port) {
    return connect(host, port, null);
  }

  /**
   * Makes a client as {@link #connect(String, int)}, in plain text or over TLS. It always encrypts
   * by the JDK.
   *
   * @param host a name or an address, for which the server has a certificate
   * @param tls the servers to trust; null for plain text
   */
  public static Carrier connect(String host, int port, @Nullable ClientTls tls) {
    return connect(host, port, tls, null);
  }

  /**
   * Makes a client as {@link #connect(String, int, ClientTls)}, of a caller that the server knows.
   *
   * @param token sent with each request; null for none
   * @throws IllegalArgumentException if the token {@linkplain Token#maySendTo may not be sent}
   */
  public static Carrier connect(
      String host, int port, @Nullable ClientTls tls, @Nullable Token token) {
    return Http1Carrier.connect(host, port, "", tls, token);
  }

  /**
   * Makes a client of several servers that serve the same store. Calls go to them in turn. A server
   * that refuses, resets or stays silent is left for a time, which grows while it fails again. A
   * call that a server has not executed goes to another one. A transfer that fails on its way goes
   * on at another one if {@link dev.ferry.core.local.Download} or {@link
   * dev.ferry.core.local.Upload} runs it. With one server, the client is that of {@link
   * #connect(String, int, ClientTls, Token)}, and it stays so if a host name has more addresses
   * later. This may look host names up.
   *
   * @param servers the servers; each has a certificate for the host of its address
   * @param tls the servers to trust; null for plain text
   * @param token sent with each request; null for none
   * @throws IllegalArgumentException if the token {@linkplain Token#maySendTo may not be sent}
   */
  public static Carrier connect(Servers servers, @Nullable ClientTls tls, @Nullable Token token) {
    return ServersCarrier.of(
        servers,
        token,
        tls != null,
        only -> Http1Carrier.connect(only.host(), only.port(), servers.basePath(), tls, token),
        server -> Http1Carrier.connect(server, servers.basePath(), tls, token));
  }

  /**
   * Starts a server on Netty that speaks both protocols on one port.
   *
   * @param host the address, or its name, to listen on
   * @param port 0 picks a free one
   * @param settings the limits, the certificate if the server speaks TLS, and the callers
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if it cannot listen there
   */
  public static ServerPort serve(FileStore store, String host, int port, ServerSettings settings)
      throws FerryException {
    return serve(store, host, port, settings, TransferOptions.DEFAULT.chunkSize());
  }

  /**
   * Starts a server as {@link #serve(FileStore, String, int, ServerSettings)}, with a buffer size.
   *
   * @param bufferSize bytes of one buffer of a download with gzip, for what is read and for what is
   *     compressed; at least 1. Other transfers do not use it. The other method uses 256 KiB
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if it cannot listen there
   * @throws IllegalArgumentException if the size is not positive
   */
  public static ServerPort serve(
      FileStore store, String host, int port, ServerSettings settings, int bufferSize)
      throws FerryException {
    return HttpFilesServer.start(store, host, port, bufferSize, settings);
  }
}
