package dev.ferry.http.internal;

import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.OutageContract;
import dev.ferry.core.Round;
import dev.ferry.http.internal.server.HttpFilesServer;
import dev.ferry.wire.ServerSettings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

/** Servers that cannot be reached, fall silent or go away, for every HTTP client. */
public abstract class HttpOutageContract extends OutageContract {
  private final Round<HttpPeer> round;

  @SuppressWarnings("NullAway.Init") // Chosen before each test.
  private HttpPeer peer;

  /** Runs with the peers of a round. */
  protected HttpOutageContract(Round<HttpPeer> round) {
    this.round = round;
  }

  @BeforeEach
  void choose(TestInfo test) {
    peer = round.configuration(test);
  }

  @Override
  protected Server serve(FileStore store) throws FerryException {
    HttpFilesServer server =
        HttpFilesServer.start(store, "127.0.0.1", 0, 65536, ServerSettings.defaults());
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
