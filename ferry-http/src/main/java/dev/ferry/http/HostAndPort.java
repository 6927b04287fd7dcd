package dev.ferry.http;

/** Servers as the authority of a URI names them. */
final class HostAndPort {
  private HostAndPort() {}

  static String of(String host, int port) {
    boolean bareIpv6 = host.indexOf(':') >= 0 && !host.startsWith("[");
    return (bareIpv6 ? "[" + host + "]" : host) + ":" + port;
  }
}
