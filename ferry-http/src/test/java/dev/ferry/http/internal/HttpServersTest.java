package dev.ferry.http.internal;

import dev.ferry.core.Carrier;
import dev.ferry.core.FileStore;
import dev.ferry.http.HttpFiles;
import dev.ferry.http.HttpProtocol;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.Servers;
import dev.ferry.wire.internal.servers.ServersContract;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Several servers over HTTP/1.1 and HTTP/2. */
@ParameterizedClass
@EnumSource
final class HttpServersTest extends ServersContract {
  private final HttpProtocol protocol;

  HttpServersTest(HttpProtocol protocol) {
    this.protocol = protocol;
  }

  @Override
  protected ServerPort serve(FileStore store, String host, int port, ServerSettings settings)
      throws Exception {
    return HttpFiles.serve(store, host, port, settings);
  }

  @Override
  protected Carrier connect(Servers servers, @Nullable ClientTls tls) {
    return HttpFiles.connect(servers, protocol, tls, null);
  }
}
