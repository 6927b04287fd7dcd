package dev.ferry.http.internal;

import dev.ferry.core.Carrier;
import dev.ferry.core.FileStore;
import dev.ferry.http.HttpFiles;
import dev.ferry.http.HttpProtocol;
import dev.ferry.net.ServerPort;
import dev.ferry.net.ServerSettings;
import dev.ferry.net.Servers;
import dev.ferry.net.internal.servers.ServersContract;
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
  protected ServerPort serve(FileStore store, ServerSettings settings) throws Exception {
    return HttpFiles.serve(store, "127.0.0.1", 0, settings);
  }

  @Override
  protected Carrier connect(Servers servers) {
    return HttpFiles.connect(servers, protocol, null, null);
  }
}
