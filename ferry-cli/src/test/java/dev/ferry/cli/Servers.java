package dev.ferry.cli;

import dev.ferry.core.FerryException;
import dev.ferry.core.LocalFileStore;
import dev.ferry.grpc.GrpcFilesServer;
import dev.ferry.grpc.Method;
import dev.ferry.http.HttpFilesServer;
import java.nio.file.Path;

/** Both servers over one folder, on free ports of this machine. */
record Servers(GrpcFilesServer grpc, HttpFilesServer http) implements AutoCloseable {
  static final String HOST = "127.0.0.1";

  static Servers start(Path root) throws FerryException {
    LocalFileStore store = LocalFileStore.open(root);
    return new Servers(
        GrpcFilesServer.start(store, HOST, 0, Method.ZERO_COPY),
        HttpFilesServer.start(store, HOST, 0, 256 * 1024));
  }

  int port(CarrierChoice carrier) {
    return carrier == CarrierChoice.GRPC ? grpc.port() : http.port();
  }

  /** The value of {@code --server} for a carrier. */
  String address(CarrierChoice carrier) {
    return HOST + ":" + port(carrier);
  }

  @Override
  public void close() {
    grpc.close();
    http.close();
  }
}
