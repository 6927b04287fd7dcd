package dev.ferry.http.internal;

import dev.ferry.core.Carrier;
import dev.ferry.core.Round;
import dev.ferry.http.HttpProtocol;
import java.util.List;
import java.util.stream.Stream;

/** A client of HTTP, with a protocol and settings, that the contracts run with. */
public interface HttpPeer {
  /** As of an enum. */
  String name();

  /** What it speaks with a server that can. */
  HttpProtocol protocol();

  /** A client of a server. */
  Carrier connect(String host, int port);

  /** A client of the server on a port of this machine. */
  default Carrier connect(int port) {
    return connect("localhost", port);
  }

  /** Rounds through some of them: by library, protocol and settings. */
  static Stream<Round<HttpPeer>> rounds(HttpPeer... peers) {
    return Round.of(List.of(peers), HttpPeer::options);
  }

  private static List<?> options(HttpPeer peer) {
    String name = peer.name();
    String settings = name.endsWith("_TUNED") ? "tuned" : name.equals("JDK") ? "product" : "plain";
    return List.of(name.replaceFirst("_.*", ""), peer.protocol(), settings);
  }

  /** Makes a client of a server. */
  @FunctionalInterface
  interface Connector {
    Carrier connect(String host, int port);
  }
}
