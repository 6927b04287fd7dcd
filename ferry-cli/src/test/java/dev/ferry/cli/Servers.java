package dev.ferry.cli;

import dev.ferry.cli.client.CarrierChoice;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.internal.GrpcFilesServer;
import dev.ferry.web.internal.WebFilesServer;
import dev.ferry.wire.ServerSettings;
import java.nio.file.Path;

/** All servers over one store, on free ports of this machine. */
public record Servers(GrpcFilesServer grpc, WebFilesServer http) implements AutoCloseable {
  public static final String HOST = "127.0.0.1";

  public static Servers start(Path root) throws FerryException {
    return start(LocalFileStore.open(root));
  }

  public static Servers start(FileStore store) throws FerryException {
    return start(store, ServerSettings.defaults());
  }

  public static Servers start(FileStore store, ServerSettings settings) throws FerryException {
    return new Servers(
        GrpcFilesServer.start(store, HOST, 0, settings),
        WebFilesServer.start(store, HOST, 0, settings));
  }

  public int port(CarrierChoice carrier) {
    return switch (carrier) {
      case GRPC -> grpc.port();
      case HTTP -> http.port();
    };
  }

  /** The value of {@code --server} for a carrier. */
  public String address(CarrierChoice carrier) {
    return HOST + ":" + port(carrier);
  }

  @Override
  public void close() {
    grpc.close();
    http.close();
  }
}
