package dev.ferry.web;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.grpc.internal.GrpcSetup;
import dev.ferry.web.internal.WebFilesServer;
import dev.ferry.wire.GzipLibrary;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;

/**
 * Starts servers of files for HTTP/1.1, HTTP/2, gRPC-Web and gRPC-Web-Text on Netty, in plain text
 * or over TLS. Any client of gRPC-Web calls them by {@code files.proto}.
 */
public final class WebFiles {
  private WebFiles() {}

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

  /**
   * Starts a server as {@link #serve(FileStore, String, int, ServerSettings)}, with a library for
   * gzip.
   *
   * @param gzip used if a client of gRPC-Web compresses by gzip, or asks for it; the other method
   *     uses {@link GzipLibrary#FASTEST}
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if the server cannot listen on the
   *     port
   */
  public static ServerPort serve(
      FileStore store, String host, int port, ServerSettings settings, GzipLibrary gzip)
      throws FerryException {
    return WebFilesServer.start(store, host, port, settings, GrpcSetup.ofServer(gzip));
  }
}
