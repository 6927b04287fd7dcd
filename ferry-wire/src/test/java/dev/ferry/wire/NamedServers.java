package dev.ferry.wire;

import java.net.InetAddress;
import java.util.List;
import java.util.function.Supplier;

/** A host name with the addresses of several servers, without a name server. */
public final class NamedServers {
  private NamedServers() {}

  /** Servers on the same port of several addresses that a host name has. */
  public static Servers of(String host, int port, InetAddress... ips) {
    return new Servers(
        List.of(new Servers.Address(host, port)), name -> ips.clone(), System::nanoTime, 0);
  }

  /**
   * Servers on the same port of addresses that may change. A second passes in a millisecond, so
   * that the name is soon looked up again.
   */
  public static Servers changing(String host, int port, Supplier<List<InetAddress>> ips) {
    return new Servers(
        List.of(new Servers.Address(host, port)),
        name -> ips.get().toArray(InetAddress[]::new),
        () -> 1000 * System.nanoTime(),
        0);
  }
}
