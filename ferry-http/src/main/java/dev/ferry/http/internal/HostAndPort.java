package dev.ferry.http.internal;

/** Formats a server as the authority of a URI. */
public final class HostAndPort {
  private HostAndPort() {}

  /**
   * Returns {@code host:port}, with an IPv6 address in brackets.
   *
   * @param host a host name or an IP address
   */
  public static String of(String host, int port) {
    boolean bareIpv6 = host.indexOf(':') >= 0 && !host.startsWith("[");
    return (bareIpv6 ? "[" + host + "]" : host) + ":" + port;
  }
}
