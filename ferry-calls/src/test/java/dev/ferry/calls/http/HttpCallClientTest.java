package dev.ferry.calls.http;

import dev.ferry.calls.Backend;
import dev.ferry.calls.CallClient;
import dev.ferry.calls.CallContract;
import dev.ferry.calls.ConcurrencyLimiter;
import dev.ferry.http.HttpProtocol;
import dev.ferry.net.ConnectionCounter;
import dev.ferry.net.ServerSettings;
import java.time.Duration;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The call contract for HTTP clients with our own server. */
@ParameterizedClass(name = "{0} client")
@ValueSource(strings = {"jdk", "okhttp", "okhttp-h2c"})
final class HttpCallClientTest extends CallContract {
  /** The room is what is tested: the JDK's client has a connection for each call at a time. */
  private static final ServerSettings UNLIMITED =
      ServerSettings.defaults()
          .withConnections(new ConnectionCounter(20_000, 20_000))
          .withHandshakeTimeout(Duration.ofSeconds(60));

  @Parameter String name = "jdk";

  private CallClient connect(int port) {
    return switch (name) {
      case "jdk" -> JdkCallClient.connect("127.0.0.1", port);
      case "okhttp" -> OkHttpCallClient.connect("127.0.0.1", port, HttpProtocol.HTTP_1_1);
      default -> OkHttpCallClient.connect("127.0.0.1", port, HttpProtocol.H2C);
    };
  }

  @Override
  protected Fixture open(Backend backend, ConcurrencyLimiter room) throws Exception {
    HttpCallServer server = HttpCallServer.start(backend, "127.0.0.1", 0, null, room, UNLIMITED);
    CallClient client = connect(server.port());
    HttpProtocol protocol = name.equals("okhttp-h2c") ? HttpProtocol.H2C : HttpProtocol.HTTP_1_1;
    SlowHttpClient slow = new SlowHttpClient(server.port(), protocol);
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
        server.closeNow();
      }

      @Override
      public void close() {
        client.close();
        slow.close();
        server.closeNow();
      }
    };
  }
}
