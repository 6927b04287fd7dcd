package dev.ferry.grpc.internal;

import dev.ferry.core.Carrier;
import dev.ferry.core.FileStore;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.Servers;
import dev.ferry.wire.internal.servers.ServersContract;
import org.jspecify.annotations.Nullable;

/** Several servers over gRPC. */
final class GrpcServersTest extends ServersContract {
  @Override
  protected ServerPort serve(FileStore store, String host, int port, ServerSettings settings)
      throws Exception {
    return GrpcFiles.serve(store, host, port, settings);
  }

  @Override
  protected Carrier connect(Servers servers, @Nullable ClientTls tls) {
    return GrpcFiles.connect(servers, tls, null);
  }
}
