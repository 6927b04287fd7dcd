package dev.ferry.http;

import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.OutageContract;
import dev.ferry.core.Round;
import dev.ferry.http.server.HttpFilesServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Servers that cannot be reached, fall silent or go away, for every HTTP client. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.ferry.http.HttpPeer#rounds")
@ExtendWith(Round.Naming.class)
class HttpOutageTest extends OutageContract {
  @Parameter
  @SuppressWarnings("NullAway.Init")
  private Round<HttpPeer> round;

  private HttpPeer peer = HttpPeer.JDK;

  @BeforeEach
  void choose(TestInfo test) {
    peer = round.configuration(test);
  }

  @Override
  protected Server serve(FileStore store) throws FerryException {
    HttpFilesServer server = HttpFilesServer.start(store, "127.0.0.1", 0, 65536);
    return new Server() {
      @Override
      public int port() {
        return server.port();
      }

      @Override
      public void close() {
        server.closeNow();
      }
    };
  }

  @Override
  protected Carrier connect(String host, int port) {
    return peer.connect(host, port);
  }
}
