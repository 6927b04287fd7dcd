package dev.ferry.suites.rival;

import dev.ferry.http.HttpProtocol;

/**
 * An HTTP client of others, which has rows in the tables of HTTP clients, over HTTP/1.1 and HTTP/2.
 *
 * @param name of its methods
 * @param connector connects with its defaults, or as its documentation advises for speed
 */
public record HttpRival(String name, Connector connector) {
  /** Connects, lazily, in plain text. */
  @FunctionalInterface
  public interface Connector {
    /** Connects to a server by a protocol. */
    TransferClient connect(String host, int port, HttpProtocol protocol, boolean tuned);
  }

  /** Its method with a protocol and a set-up. */
  public String method(HttpProtocol protocol, boolean isTuned) {
    return name + (protocol == HttpProtocol.H2C ? "Http2" : "") + (isTuned ? "Tuned" : "");
  }
}
