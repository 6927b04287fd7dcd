package dev.ferry.http.internal;

import dev.ferry.core.Carrier;

/**
 * A client of HTTP that the contracts run with.
 *
 * @param settings what is special about it
 * @param tls whether it speaks TLS, and trusts the certificates of the tests
 */
public record HttpPeer(String settings, boolean tls, Connector connector) {
  /** Makes a client of a server. */
  @FunctionalInterface
  public interface Connector {
    Carrier connect(String host, int port);
  }

  /** A client of a server. */
  public Carrier connect(String host, int port) {
    return connector.connect(host, port);
  }

  /** A client of the server on a port of this machine. */
  public Carrier connect(int port) {
    return connect("localhost", port);
  }

  @Override
  public String toString() {
    return settings + (tls ? " TLS" : "");
  }
}
