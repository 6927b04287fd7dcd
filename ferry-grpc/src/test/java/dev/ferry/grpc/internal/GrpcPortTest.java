package dev.ferry.grpc.internal;

import dev.ferry.core.local.LocalFileStore;
import dev.ferry.net.ServerSettings;
import dev.ferry.net.internal.PortContract;
import dev.ferry.net.internal.Refusals;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The gRPC port, as a port. */
final class GrpcPortTest extends PortContract {
  @TempDir Path root;

  @Override
  protected Port start(ServerSettings settings) throws Exception {
    GrpcFilesServer server =
        GrpcFilesServer.start(
            LocalFileStore.open(root), "127.0.0.1", 0, Method.ZERO_COPY, settings);
    return new Port() {
      @Override
      public int port() {
        return server.port();
      }

      @Override
      public Refusals refused() {
        return server.refused();
      }

      @Override
      public void close() {
        server.closeNow();
      }
    };
  }

  @Override
  protected boolean speaksHttp1() {
    return false;
  }

  @Override
  protected String loggerOfTheStack() {
    return "io.grpc";
  }
}
