package dev.ferry.http.internal.http1;

import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileServer;
import dev.ferry.core.FileStore;
import dev.ferry.http.HttpProtocol;
import dev.ferry.http.internal.server.HttpFilesServer;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.TlsProvider;
import dev.ferry.wire.internal.TlsContract;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** HTTP over TLS, by the product's client, with a server on each provider. */
@ParameterizedClass
@EnumSource
class Http1TlsTest extends TlsContract {
  @Parameter
  @SuppressWarnings("NullAway.Init") // JUnit sets it.
  private TlsProvider provider;

  @Override
  protected FileServer serve(FileStore store, ServerSettings settings) throws FerryException {
    return HttpFilesServer.start(store, "127.0.0.1", 0, 65536, settings);
  }

  @Override
  protected Carrier connect(int port, @Nullable ClientTls tls) {
    return Http1Carrier.connect("127.0.0.1", port, "", tls, null);
  }

  @Override
  protected TlsProvider provider() {
    return provider;
  }

  @Override
  protected String protocol() {
    return HttpProtocol.HTTP_1_1.wireName(true);
  }
}
