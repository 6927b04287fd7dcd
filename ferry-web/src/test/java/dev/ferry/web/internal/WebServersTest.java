package dev.ferry.web.internal;

import dev.ferry.core.Carrier;
import dev.ferry.core.FileStore;
import dev.ferry.core.Round;
import dev.ferry.web.WebFiles;
import dev.ferry.web.WebFormat;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.Servers;
import dev.ferry.wire.internal.servers.ServersContract;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Several servers over gRPC-Web. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.ferry.web.internal.WebPeer#rounds")
@ExtendWith(Round.Naming.class)
final class WebServersTest extends ServersContract {
  @Parameter
  @SuppressWarnings("NullAway.Init") // JUnit sets it.
  private Round<WebPeer> round;

  @SuppressWarnings("NullAway.Init") // Chosen before each test.
  private WebPeer peer;

  @BeforeEach
  void choose(TestInfo test) {
    peer = round.configuration(test);
  }

  @Override
  protected ServerPort serve(FileStore store, String host, int port, ServerSettings settings)
      throws Exception {
    return WebFiles.serve(store, host, port, settings);
  }

  @Override
  protected long sent(long bytes) {
    return peer.format() == WebFormat.GRPC_WEB_TEXT ? bytes * 4 / 3 : bytes;
  }

  @Override
  protected Carrier connect(Servers servers, @Nullable ClientTls tls) {
    return peer.connect(servers, tls);
  }
}
