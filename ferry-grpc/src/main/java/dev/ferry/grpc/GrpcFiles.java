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

/** Clients and servers of files over gRPC, in plain text, by grpc-java on Netty. */
public final class GrpcFiles {
  private GrpcFiles() {}

  /**
   * Makes a client of one connection, which is opened by the first call. The caller closes it.
   *
   * @param host a name or an address
   */
  public static Carrier connect(String host, int port) {
    return GrpcCarrier.connect(host, port, Method.ZERO_COPY);
  }

  /**
   * Starts a server of the {@code Files} service, with health and reflection.
   *
   * @param host the address, or its name, to listen on
   * @param port 0 picks a free one
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if it cannot listen there
   */
  public static FileServer serve(FileStore store, String host, int port, ServerSettings settings)
      throws FerryException {
    return GrpcFilesServer.start(store, host, port, Method.ZERO_COPY, settings);
  }
}
