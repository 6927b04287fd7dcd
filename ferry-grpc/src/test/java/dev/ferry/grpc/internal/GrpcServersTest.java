package dev.ferry.grpc.internal;

import dev.ferry.core.Carrier;
import dev.ferry.core.FileStore;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.net.ClientTls;
import dev.ferry.net.ServerPort;
import dev.ferry.net.ServerSettings;
import dev.ferry.net.Servers;
import dev.ferry.net.internal.servers.ServersContract;
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
