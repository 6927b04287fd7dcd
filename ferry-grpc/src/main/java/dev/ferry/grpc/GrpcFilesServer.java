package dev.ferry.grpc;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;

/** A gRPC server of the {@code Files} service over a store. */
public final class GrpcFilesServer implements AutoCloseable {
  /** Starts a server in plain text; port 0 picks a free one. */
  public static GrpcFilesServer start(FileStore store, String host, int port, Method method)
      throws FerryException {
    throw new UnsupportedOperationException();
  }

  /** The port it listens on. */
  public int port() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
