package dev.ferry.web.internal;

import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileServer;
import dev.ferry.core.FileStore;
import dev.ferry.core.Round;
import dev.ferry.http.HttpProtocol;
import dev.ferry.web.WebFiles;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.TlsProvider;
import dev.ferry.wire.internal.TlsContract;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * gRPC-Web over TLS with Armeria's client, by each provider at both ends. By default each protocol
 * has another one.
 */
@ParameterizedClass
@MethodSource("some")
class WebTlsTest extends TlsContract {
  @Parameter(0)
  @SuppressWarnings("NullAway.Init") // JUnit sets it.
  private HttpProtocol protocol;

  @Parameter(1)
  @SuppressWarnings("NullAway.Init") // JUnit sets it.
  private TlsProvider provider;

  static Stream<Arguments> some() {
    return Round.some(
        Stream.of(HttpProtocol.values())
            .flatMap(
                protocol ->
                    Stream.of(TlsProvider.values())
                        .map(provider -> Arguments.of(protocol, provider)))
            .toList(),
        both -> List.of(both.get()));
  }

  @Override
  protected FileServer serve(FileStore store, ServerSettings settings) throws FerryException {
    return WebFiles.serve(store, "127.0.0.1", 0, settings);
  }

  @Override
  protected Carrier connect(int port, @Nullable ClientTls tls) {
    return ArmeriaCarrier.connect("127.0.0.1", port, "", false, protocol, tls, null);
  }

  @Override
  protected TlsProvider provider() {
    return provider;
  }

  @Override
  protected String protocol() {
    return protocol.wireName(true);
  }
}
