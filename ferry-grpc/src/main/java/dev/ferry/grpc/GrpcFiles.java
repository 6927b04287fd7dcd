package dev.ferry.grpc;

import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.grpc.internal.GrpcCarrier;
import dev.ferry.grpc.internal.GrpcFilesServer;
import dev.ferry.grpc.internal.GrpcSetup;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.GzipLibrary;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.Servers;
import dev.ferry.wire.Token;
import org.jspecify.annotations.Nullable;

/**
 * Creates clients and servers that transfer files over gRPC, in plain text or over TLS. They use
 * grpc-java on Netty.
 */
public final class GrpcFiles {
  private GrpcFiles() {}

  /**
   * Creates a plaintext client with one connection. The first call opens the connection. The caller
   * closes the client.
   *
   * @param host a host name or an IP address
   */
  public static Carrier connect(String host, int port) {
    return connect(host, port, null);
  }

  /**
   * Creates a client with one connection. The first call opens the connection. The caller closes
   * the client.
   *
   * @param host a host name or an IP address, for which the server has a certificate
   * @param tls the servers to trust; null for plain text
   */
  public static Carrier connect(String host, int port, @Nullable ClientTls tls) {
    return connect(host, port, tls, null);
  }

  /**
   * Creates a client as {@link #connect(String, int, ClientTls)}, of a caller that the server
   * knows.
   *
   * @param token sent with each request; null for none
   * @throws IllegalArgumentException if the token {@linkplain Token#maySendTo may not be sent}
   */
  public static Carrier connect(
      String host, int port, @Nullable ClientTls tls, @Nullable Token token) {
    return GrpcCarrier.connect(host, port, GrpcSetup.ofClient(), tls, token);
  }

  /**
   * Creates a client as {@link #connect(String, int, ClientTls, Token)}, with a library for gzip.
   *
   * @param token sent with each request; null for none
   * @param gzip used if a transfer is compressed by gzip; the other methods use {@link
   *     GzipLibrary#FASTEST}
   * @throws IllegalArgumentException if the token {@linkplain Token#maySendTo may not be sent}
   */
  public static Carrier connect(
      String host, int port, @Nullable ClientTls tls, @Nullable Token token, GzipLibrary gzip) {
    return GrpcCarrier.connect(host, port, GrpcSetup.ofClient(gzip), tls, token);
  }

  /**
   * Creates a client of several servers that serve the same store. It has a connection to each, and
   * sends calls in turn to those that are healthy by gRPC's health service. A call that a server
   * has not executed goes to another one. A transfer that fails on its way goes on at another one
   * if {@link dev.ferry.core.local.Download} or {@link dev.ferry.core.local.Upload} runs it. With
   * one server, the client is that of {@link #connect(String, int, ClientTls, Token)}, and it stays
   * so if a host name has more addresses later. This may look host names up.
   *
   * @param servers the servers; each has a certificate for the host of its address
   * @param tls the servers to trust; null for plain text
   * @param token sent with each request; null for none
   * @throws IllegalArgumentException if the token {@linkplain Token#maySendTo may not be sent}
   */
  public static Carrier connect(Servers servers, @Nullable ClientTls tls, @Nullable Token token) {
    return GrpcCarrier.connect(servers, GrpcSetup.ofClient(), tls, token);
  }

  /**
   * Starts a server with the {@code Files} service, the health service and the reflection service.
   * Health and reflection need no token.
   *
   * @param host the address or host name to listen on
   * @param port the port to listen on; 0 selects a free port
   * @param settings the limits, the certificate if the server speaks TLS, and the callers
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if the server cannot listen on the
   *     port
   */
  public static ServerPort serve(FileStore store, String host, int port, ServerSettings settings)
      throws FerryException {
    return GrpcFilesServer.start(store, host, port, settings);
  }

  /**
   * Starts a server as {@link #serve(FileStore, String, int, ServerSettings)}, with a library for
   * gzip.
   *
   * @param gzip used if a client compresses by gzip, or asks for it; the other method uses {@link
   *     GzipLibrary#FASTEST}
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if the server cannot listen on the
   *     port
   */
  public static ServerPort serve(
      FileStore store, String host, int port, ServerSettings settings, GzipLibrary gzip)
      throws FerryException {
    return GrpcFilesServer.start(store, host, port, GrpcSetup.ofServer(gzip), settings);
  }
}
