package dev.ferry.http;

/** What a client is to speak, in plain text. */
public enum HttpProtocol {
  HTTP_1_1("http/1.1"),

  /** HTTP/2 without TLS. */
  H2C("h2c");

  private final String wireName;

  HttpProtocol(String wireName) {
    this.wireName = wireName;
  }

  /** The name that {@link dev.ferry.core.Transfer#protocol} has for it. */
  public String wireName() {
    return wireName;
  }
}
