package dev.ferry.suites.calls.service.http;

import dev.ferry.core.Round;
import dev.ferry.http.HttpProtocol;
import dev.ferry.suites.calls.service.Backend;
import dev.ferry.suites.calls.service.CallClient;
import dev.ferry.suites.calls.service.CallContract;
import dev.ferry.suites.calls.service.ConcurrencyLimiter;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The call contract for HTTP clients with our own server. */
@ParameterizedClass(name = "{0}")
@MethodSource("rounds")
@ExtendWith(Round.Naming.class)
final class HttpCallClientTest extends CallContract {
  /** Makes a client of the server on a port. */
  @FunctionalInterface
  private interface Connector {
    CallClient connect(int port);
  }

  private record Peer(String library, HttpProtocol protocol, Connector connector) {
    @Override
    public String toString() {
      return library + " " + protocol;
    }
  }

  @Parameter
  @SuppressWarnings("NullAway.Init") // JUnit sets it.
  private Round<Peer> round;

  @SuppressWarnings("NullAway.Init") // Chosen before each test.
  private Peer peer;

  static Stream<Round<Peer>> rounds() {
    Peer jdk =
        new Peer("JDK", HttpProtocol.HTTP_1_1, port -> JdkCallClient.connect("127.0.0.1", port));
    return Round.shared(
        Stream.concat(
                Stream.of(jdk),
                Stream.of(HttpProtocol.values())
                    .map(
                        protocol ->
                            new Peer(
                                "OkHttp",
                                protocol,
                                port -> OkHttpCallClient.connect("127.0.0.1", port, protocol))))
            .toList());
  }

  @Override
  protected void configure(TestInfo test) {
    peer = round.configuration(test);
  }

  @Override
  protected Fixture open(Backend backend, ConcurrencyLimiter room) throws Exception {
    HttpCallServer server = HttpCallServer.start(backend, "127.0.0.1", 0, null, room);
    CallClient client = peer.connector.connect(server.port());
    SlowHttpClient slow = new SlowHttpClient(server.port(), peer.protocol);
    return new Fixture() {
      @Override
      public CallClient client() {
        return client;
      }

      @Override
      public SlowReader readSlowly(int rows) {
        return slow.rows(rows);
      }

      @Override
      public void killServer() {
        server.close();
      }

      @Override
      public void close() {
        client.close();
        slow.close();
        server.close();
      }
    };
  }
}
