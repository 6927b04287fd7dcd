package dev.ferry.web.internal;

import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.Round;
import dev.ferry.core.UploadResumeContract;
import dev.ferry.http.HttpProtocol;
import dev.ferry.wire.ServerSettings;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Transfers over gRPC-Web that go on after the connection or the server was lost. The server is
 * Ferry's, the client Armeria's, so what a client says of an outage is not tested here.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("rounds")
@ExtendWith(Round.Naming.class)
class WebResumeTest extends UploadResumeContract {
  private static final String HOST = "127.0.0.1";

  private record Peer(boolean text, HttpProtocol protocol) {
    @Override
    public String toString() {
      return (text ? "text " : "binary ") + protocol;
    }
  }

  @Parameter
  @SuppressWarnings("NullAway.Init") // JUnit sets it.
  private Round<Peer> round;

  @SuppressWarnings("NullAway.Init") // Chosen before each test.
  private Peer peer;

  /** One by default: the tests share the formats and the protocols out among themselves. */
  static Stream<Round<Peer>> rounds() {
    return Round.shared(
        List.of(new Peer(false, HttpProtocol.HTTP_1_1), new Peer(true, HttpProtocol.H2C)));
  }

  @BeforeEach
  void choose(TestInfo test) {
    peer = round.configuration(test);
  }

  @Override
  protected Server serve(FileStore store, Duration stall) throws FerryException {
    ServerSettings settings = ServerSettings.defaults().withStallTimeout(stall);
    WebFilesServer server = WebFilesServer.start(store, HOST, 0, settings);
    return Server.of(server.port(), server::closeNow);
  }

  @Override
  protected Carrier connect(String host, int port) {
    return ArmeriaCarrier.connect(host, port, "", peer.text, peer.protocol, null, null);
  }
}
