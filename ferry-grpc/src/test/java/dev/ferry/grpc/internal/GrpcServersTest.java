package dev.ferry.grpc.internal;

import dev.ferry.core.Carrier;
import dev.ferry.core.FileStore;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.net.ServerPort;
import dev.ferry.net.ServerSettings;
import dev.ferry.net.Servers;
import dev.ferry.net.internal.servers.ServersContract;

/** Several servers over gRPC. */
final class GrpcServersTest extends ServersContract {
  @Override
  protected ServerPort serve(FileStore store, ServerSettings settings) throws Exception {
    return GrpcFiles.serve(store, "127.0.0.1", 0, settings);
  }

  @Override
  protected Carrier connect(Servers servers) {
    return GrpcFiles.connect(servers, null, null);
  }
}
