package dev.ferry.web;

import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileServer;
import dev.ferry.core.FileStore;
import dev.ferry.http.HttpProtocol;
import dev.ferry.net.ServerSettings;
import dev.ferry.web.internal.WebCarrier;
import dev.ferry.web.internal.WebFilesServer;

/**
 * Creates clients and servers that transfer files over plaintext gRPC-Web and gRPC-Web-Text on
 * Netty.
 */
public final class WebFiles {
  private WebFiles() {}

  /**
   * Creates a client. It connects with its first call. The caller closes the client.
   *
   * @param host a host name or an IP address
   */
  public static Carrier connect(String host, int port, WebFormat format, HttpProtocol protocol) {
    return WebCarrier.connect(host, port, format, protocol);
  }

  /**
   * Starts a server for gRPC-Web. On the same port it also serves everything that {@link
   * dev.ferry.http.HttpFiles#serve} serves, over HTTP/1.1 and HTTP/2.
   *
   * @param host the address or host name to listen on
   * @param port the port to listen on; 0 selects a free port
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if the server cannot listen on the
   *     port
   */
  public static FileServer serve(FileStore store, String host, int port, ServerSettings settings)
      throws FerryException {
    return WebFilesServer.start(store, host, port, settings);
  }
}
