package dev.ferry.calls.http;

import dev.ferry.calls.Backend;
import dev.ferry.calls.CallClient;
import dev.ferry.calls.CallContract;
import dev.ferry.http.HttpProtocol;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The call contract for HTTP clients with our own server. */
@ParameterizedClass(name = "{0} client")
@ValueSource(strings = {"jdk", "okhttp", "okhttp-h2c"})
final class HttpCallClientTest extends CallContract {
  @Parameter String name = "jdk";

  private CallClient connect(int port) {
    return switch (name) {
      case "jdk" -> JdkCallClient.connect("127.0.0.1", port);
      case "okhttp" -> OkHttpCallClient.connect("127.0.0.1", port, HttpProtocol.HTTP_1_1);
      default -> OkHttpCallClient.connect("127.0.0.1", port, HttpProtocol.H2C);
    };
  }

  @Override
  protected Fixture open(Backend backend) throws Exception {
    HttpCallServer server = HttpCallServer.start(backend, "127.0.0.1", 0);
    CallClient client = connect(server.port());
    return new Fixture() {
      @Override
      public CallClient client() {
        return client;
      }

      @Override
      public void killServer() {
        server.closeNow();
      }

      @Override
      public void close() {
        client.close();
        server.closeNow();
      }
    };
  }
}
