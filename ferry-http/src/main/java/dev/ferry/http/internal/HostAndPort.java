package dev.ferry.http.internal;

/** Servers as the authority of a URI names them. */
public final class HostAndPort {
  private HostAndPort() {}

  /**
   * A server, with an address of IPv6 in brackets.
   *
   * @param host a name or an address
   */
  public static String of(String host, int port) {
    boolean bareIpv6 = host.indexOf(':') >= 0 && !host.startsWith("[");
    return (bareIpv6 ? "[" + host + "]" : host) + ":" + port;
  }
}
