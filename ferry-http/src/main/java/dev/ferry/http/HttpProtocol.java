package dev.ferry.http;

/** The protocol of a client. */
public enum HttpProtocol {
  HTTP_1_1("http/1.1"),

  /** HTTP/2: {@code h2c} in plain text, {@code h2} over TLS. */
  H2C("h2c");

  private final String wireName;

  HttpProtocol(String wireName) {
    this.wireName = wireName;
  }

  /** Returns the name of the plaintext protocol in {@link dev.ferry.core.Transfer#protocol}. */
  public String wireName() {
    return wireName;
  }

  /** Returns the name of the protocol in {@link dev.ferry.core.Transfer#protocol}. */
  public String wireName(boolean tls) {
    return tls && this == H2C ? "h2" : wireName;
  }
}
