package dev.ferry.grpc.internal.transport;

import dev.ferry.core.internal.CallReport;
import dev.ferry.wire.Servers.Endpoint;
import dev.ferry.wire.internal.servers.Reachability;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What calls know of their server if it is one of several.
 *
 * @param name the server, for messages
 * @param server the server; null if the channel chooses it for each call
 */
public record OneOfServers(String name, @Nullable Endpoint server) {
  /** A server that the channel chooses. */
  public static final OneOfServers CHOSEN_BY_CHANNEL = new OneOfServers("the servers", null);

  /**
   * Has a call end soon if its server is gone.
   *
   * @param chosen the server that the channel has chosen; null while the call waits for its channel
   */
  public void watch(CallReport report, Supplier<@Nullable SocketAddress> chosen) {
    report.oneOfSeveral(Reachability.CONNECT_TIMEOUT, () -> isReachable(chosen));
  }

  private boolean isReachable(Supplier<@Nullable SocketAddress> chosen) {
    if (server != null) {
      return Reachability.of(server);
    }
    return !(chosen.get() instanceof InetSocketAddress peer) || Reachability.of(List.of(peer));
  }
}
