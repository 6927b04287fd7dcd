package dev.ferry.wire.internal.servers;

import dev.ferry.wire.Servers.Address;
import dev.ferry.wire.internal.HostName;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The proxies by which clients reach servers. There is none to this machine, whatever a selector
 * says: what a client sends there in plain text, such as a token, is not for a proxy.
 */
public final class Proxies {
  private Proxies() {}

  /**
   * Returns the proxy of HTTP that leads to a server; null for none.
   *
   * @param selector knows the proxies; null if there is none
   * @param tls whether the client encrypts
   * @throws IllegalArgumentException if the selector cannot say which one; the message is one line
   */
  public static @Nullable Address to(
      Address server, boolean tls, @Nullable ProxySelector selector) {
    if (selector == null
        || HostName.isThisMachine(server.host())
        || !HostName.fitsUri(server.host())) {
      return null;
    }
    for (Proxy proxy : selector.select(URI.create((tls ? "https://" : "http://") + server))) {
      if (proxy.type() == Proxy.Type.DIRECT) {
        return null;
      }
      if (proxy.type() == Proxy.Type.HTTP && proxy.address() instanceof InetSocketAddress address) {
        return new Address(address.getHostString(), address.getPort());
      }
    }
    return null;
  }
}
