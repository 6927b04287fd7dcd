package dev.ferry.suites.rival.armeria;

import dev.ferry.http.HttpProtocol;

/** What Armeria calls protocols in its URIs. */
final class Schemes {
  private Schemes() {}

  /** HTTP/2 is by prior knowledge. */
  static String of(HttpProtocol protocol) {
    return switch (protocol) {
      case HTTP_1_1 -> "h1c";
      case H2C -> "h2c";
    };
  }
}
