package dev.ferry.web;

/** The version of HTTP that a {@link WebCarrier} speaks, in plain text. */
public enum WebVersion {
  /** A connection for each call at a time. */
  HTTP_1_1("h1c", "http/1.1"),
  /** By prior knowledge; all calls share a connection. */
  HTTP_2("h2c", "h2c");

  private final String scheme;
  private final String protocol;

  WebVersion(String scheme, String protocol) {
    this.scheme = scheme;
    this.protocol = protocol;
  }

  /** Its name in Armeria's URIs. */
  String scheme() {
    return scheme;
  }

  /** Its name in {@link dev.ferry.core.Transfer#protocol}. */
  String protocol() {
    return protocol;
  }
}
