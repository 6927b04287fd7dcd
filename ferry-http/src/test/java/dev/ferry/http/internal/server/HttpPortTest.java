package dev.ferry.http.internal.server;

import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.PortContract;
import dev.ferry.wire.internal.Refusals;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The HTTP port, as a port. */
final class HttpPortTest extends PortContract {
  @TempDir Path root;

  @Override
  protected Port start(ServerSettings settings) throws Exception {
    HttpFilesServer server =
        HttpFilesServer.start(LocalFileStore.open(root), "127.0.0.1", 0, 65536, settings);
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
}
