package dev.ferry.web.internal;

import dev.ferry.core.Carrier;
import dev.ferry.core.CarrierContract;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.Round;
import dev.ferry.http.HttpProtocol;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.TestCertificates;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The carrier contract for the server of gRPC-Web, with Armeria's client, in each format over each
 * protocol, with and without TLS.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("rounds")
class WebCarrierTest extends CarrierContract {
  private static final String HOST = "127.0.0.1";

  private record Peer(boolean text, HttpProtocol protocol, boolean tls) {
    ServerSettings settings() {
      ServerSettings settings = ServerSettings.defaults();
      return tls
          ? settings.withTls(TestCertificates.server(TestCertificates.loopback()))
          : settings;
    }

    Carrier connect(int port) {
      ClientTls trusted = tls ? TestCertificates.client() : null;
      return ArmeriaCarrier.connect(HOST, port, "", text, protocol, trusted, null);
    }

    @Override
    public String toString() {
      return (text ? "text " : "binary ") + protocol + (tls ? " TLS" : "");
    }
  }

  @Parameter
  @SuppressWarnings("NullAway.Init") // JUnit sets it.
  private Round<Peer> round;

  @SuppressWarnings("NullAway.Init") // Chosen before each test.
  private Peer peer;

  /** One by default: the tests share the peers out among themselves. */
  static Stream<Round<Peer>> rounds() {
    List<Peer> peers = new ArrayList<>();
    for (HttpProtocol protocol : HttpProtocol.values()) {
      for (boolean text : new boolean[] {false, true}) {
        peers.add(new Peer(text, protocol, false));
        peers.add(new Peer(text, protocol, true));
      }
    }
    return Round.shared(peers);
  }

  @Override
  protected Object configure(TestInfo test) {
    peer = round.configuration(test);
    return peer;
  }

  @Override
  protected Fixture open(FileStore store) throws FerryException {
    WebFilesServer server = WebFilesServer.start(store, HOST, 0, peer.settings());
    Carrier carrier = peer.connect(server.port());
    return new Fixture() {
      @Override
      public Carrier carrier() {
        return carrier;
      }

      @Override
      public void killServer() {
        server.closeNow();
      }

      @Override
      public void close() {
        carrier.close();
        server.close();
      }
    };
  }
}
