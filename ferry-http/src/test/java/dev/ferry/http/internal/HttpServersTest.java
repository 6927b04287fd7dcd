package dev.ferry.http.internal;

import dev.ferry.core.Carrier;
import dev.ferry.core.FileStore;
import dev.ferry.http.HttpFiles;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.Servers;
import dev.ferry.wire.internal.servers.ServersContract;
import org.jspecify.annotations.Nullable;

/** Several servers over HTTP. */
final class HttpServersTest extends ServersContract {
  @Override
  protected ServerPort serve(FileStore store, String host, int port, ServerSettings settings)
      throws Exception {
    return HttpFiles.serve(store, host, port, settings);
  }

  @Override
  protected Carrier connect(Servers servers, @Nullable ClientTls tls) {
    return HttpFiles.connect(servers, tls, null);
  }
}
