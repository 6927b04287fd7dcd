package dev.ferry.web.internal;

import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.OutageContract;
import dev.ferry.core.Round;
import dev.ferry.wire.ServerSettings;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Servers that cannot be reached, fall silent or go away, for clients of gRPC-Web. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.ferry.web.internal.WebPeer#rounds")
@ExtendWith(Round.Naming.class)
class WebOutageTest extends OutageContract {
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
  protected Server serve(FileStore store, Duration stall) throws FerryException {
    ServerSettings settings = ServerSettings.defaults().withStallTimeout(stall);
    return server(WebFilesServer.start(store, "127.0.0.1", 0, settings));
  }

  static Server server(WebFilesServer server) {
    return Server.of(server.port(), server::closeNow);
  }

  @Override
  protected Carrier connect(String host, int port) {
    return peer.connect(host, port);
  }
}
