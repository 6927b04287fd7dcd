package dev.ferry.wire.internal.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import org.junit.jupiter.api.Test;

final class ReachabilityTest {
  @Test
  void of_address_saysWhetherItTakesConnections() throws Exception {
    SocketAddress address;
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      address = server.getLocalSocketAddress();
      assertThat(Reachability.of(address)).isTrue();
    }
    assertThat(Reachability.of(address)).isFalse();
  }

  @Test
  void of_hostThatCannotBeLookedUp_isReachable() {
    assertThat(Reachability.of(InetSocketAddress.createUnresolved("files.invalid", 7070))).isTrue();
  }
}
