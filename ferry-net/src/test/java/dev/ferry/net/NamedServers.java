package dev.ferry.net;

import java.net.InetAddress;
import java.util.List;

/** A host name with the addresses of several servers, without a name server. */
public final class NamedServers {
  private NamedServers() {}

  /** Servers on the same port of several addresses that a host name has. */
  public static Servers of(String host, int port, InetAddress... ips) {
    return new Servers(
        List.of(new Servers.Address(host, port)), name -> ips.clone(), System::nanoTime, 0);
  }
}
