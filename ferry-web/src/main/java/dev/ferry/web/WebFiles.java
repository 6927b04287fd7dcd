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

/** Clients and servers of files over gRPC-Web and gRPC-Web-Text, in plain text, on Netty. */
public final class WebFiles {
  private WebFiles() {}

  /**
   * Makes a client, which connects with its first call. The caller closes it.
   *
   * @param host a name or an address
   */
  public static Carrier connect(String host, int port, WebFormat format, HttpProtocol protocol) {
    return WebCarrier.connect(host, port, format, protocol);
  }

  /**
   * Starts a server that answers gRPC-Web, and beside it all that {@link
   * dev.ferry.http.HttpFiles#serve} does, over HTTP/1.1 and HTTP/2 on one port.
   *
   * @param host the address, or its name, to listen on
   * @param port 0 picks a free one
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if it cannot listen there
   */
  public static FileServer serve(FileStore store, String host, int port, ServerSettings settings)
      throws FerryException {
    return WebFilesServer.start(store, host, port, settings);
  }
}
