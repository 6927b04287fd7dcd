package dev.ferry.grpc.internal;

import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.OutageContract;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.wire.ServerSettings;
import java.time.Duration;

/** Servers that cannot be reached, fall silent or go away. */
class GrpcOutageTest extends OutageContract {
  @Override
  protected Server serve(FileStore store, Duration stall) throws FerryException {
    GrpcFilesServer server =
        GrpcFilesServer.start(
            store, "127.0.0.1", 0, ServerSettings.defaults().withStallTimeout(stall));
    return Server.of(server.port(), server::closeNow);
  }

  @Override
  protected Carrier connect(String host, int port) {
    return GrpcFiles.connect(host, port);
  }
}
