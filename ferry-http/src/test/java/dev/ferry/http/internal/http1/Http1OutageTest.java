package dev.ferry.http.internal.http1;

import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.OutageContract;
import dev.ferry.http.internal.server.HttpFilesServer;
import dev.ferry.wire.ServerSettings;
import java.time.Duration;

final class Http1OutageTest extends OutageContract {
  @Override
  protected Server serve(FileStore store, Duration stall) throws FerryException {
    HttpFilesServer server =
        HttpFilesServer.start(
            store, "127.0.0.1", 0, 65536, ServerSettings.defaults().withStallTimeout(stall));
    return Server.of(server.port(), server::closeNow);
  }

  @Override
  protected Carrier connect(String host, int port) {
    return Http1Carrier.connect(host, port, "", null, null);
  }
}
