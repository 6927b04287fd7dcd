package dev.ferry.grpc;

import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileServer;
import dev.ferry.core.FileStore;
import dev.ferry.grpc.internal.GrpcCarrier;
import dev.ferry.grpc.internal.GrpcFilesServer;
import dev.ferry.grpc.internal.Method;
import dev.ferry.net.ServerSettings;

/**
 * Creates clients and servers that transfer files over plaintext gRPC. They use grpc-java on Netty.
 */
public final class GrpcFiles {
  private GrpcFiles() {}

  /**
   * Creates a client with one connection. The first call opens the connection. The caller closes
   * the client.
   *
   * @param host a host name or an IP address
   */
  public static Carrier connect(String host, int port) {
    return GrpcCarrier.connect(host, port, Method.ZERO_COPY);
  }

  /**
   * Starts a server with the {@code Files} service, the health service and the reflection service.
   *
   * @param host the address or host name to listen on
   * @param port the port to listen on; 0 selects a free port
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if the server cannot listen on the
   *     port
   */
  public static FileServer serve(FileStore store, String host, int port, ServerSettings settings)
      throws FerryException {
    return GrpcFilesServer.start(store, host, port, Method.ZERO_COPY, settings);
  }
}
