package dev.ferry.http.internal;

import dev.ferry.core.Carrier;
import dev.ferry.core.Round;
import dev.ferry.http.HttpProtocol;
import java.util.List;
import java.util.stream.Stream;

/**
 * A client of HTTP that the contracts run with.
 *
 * @param protocol the protocol with a server that supports it
 * @param tls whether it speaks TLS, and trusts the certificates of the tests
 * @param settings {@code product}, {@code plain} or {@code tuned}
 */
public record HttpPeer(
    String library, HttpProtocol protocol, String settings, boolean tls, Connector connector) {
  /** Makes a client of a server. */
  @FunctionalInterface
  public interface Connector {
    Carrier connect(String host, int port, HttpProtocol protocol);
  }

  /** A client with some settings, over each protocol. */
  public static Stream<HttpPeer> overBoth(String library, String settings, Connector connector) {
    return Stream.of(HttpProtocol.values())
        .map(protocol -> new HttpPeer(library, protocol, settings, false, connector));
  }

  /** Rounds in which each test meets each library, protocol and settings. */
  public static Stream<Round<HttpPeer>> rounds(List<HttpPeer> peers) {
    return Round.of(
        peers, peer -> List.of(peer.library(), peer.protocol(), peer.settings(), peer.tls()));
  }

  /** Those that speak HTTP/1.1. */
  public static List<HttpPeer> http1(List<HttpPeer> peers) {
    return peers.stream().filter(peer -> peer.protocol() == HttpProtocol.HTTP_1_1).toList();
  }

  /** A client of a server. */
  public Carrier connect(String host, int port) {
    return connector.connect(host, port, protocol);
  }

  /** A client of the server on a port of this machine. */
  public Carrier connect(int port) {
    return connect("localhost", port);
  }

  @Override
  public String toString() {
    return library + " " + protocol + " " + settings + (tls ? " TLS" : "");
  }
}
