package dev.ferry.wire.internal.servers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.wire.Servers.Address;
import dev.ferry.wire.Servers.Endpoint;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

final class ReachabilityTest {
  @Test
  void of_address_saysWhetherItTakesConnections() throws Exception {
    Endpoint endpoint;
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      endpoint = new Endpoint(new Address("127.0.0.1", server.getLocalPort()), null);
      assertThat(Reachability.of(endpoint)).isTrue();
    }
    assertThat(Reachability.of(endpoint)).isFalse();
  }

  @Test
  void of_hostThatCannotBeLookedUp_isReachable() {
    assertThat(Reachability.of(new Endpoint(new Address("files.invalid", 7070), null))).isTrue();
  }
}
