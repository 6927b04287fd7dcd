package dev.ferry.suites.rival.armeria;

import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.OutageContract;
import dev.ferry.http.server.HttpFilesServer;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers that cannot be reached, fall silent or go away, for Armeria's HTTP client. */
@ParameterizedClass
@EnumSource(ArmeriaPeer.class)
class ArmeriaHttpOutageTest extends OutageContract {
  @Parameter ArmeriaPeer peer = ArmeriaPeer.ARMERIA;

  @Override
  protected Server serve(FileStore store) throws FerryException {
    HttpFilesServer server = HttpFilesServer.start(store, "127.0.0.1", 0, 65536);
    return new Server() {
      @Override
      public int port() {
        return server.port();
      }

      @Override
      public void close() {
        server.closeNow();
      }
    };
  }

  @Override
  protected Carrier connect(String host, int port) {
    return peer.connect(host, port);
  }
}
