package dev.ferry.wire.internal.servers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Carrier;
import dev.ferry.wire.NamedServers;
import dev.ferry.wire.Servers;
import dev.ferry.wire.Servers.Endpoint;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

final class RoutePerServerTest {
  private final List<String> closed = new CopyOnWriteArrayList<>();

  /** A carrier that can only be closed. */
  private Carrier carrier(Endpoint server) {
    return (Carrier)
        Proxy.newProxyInstance(
            Carrier.class.getClassLoader(),
            new Class<?>[] {Carrier.class},
            (proxy, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("close");
              closed.add(server.host());
              return null;
            });
  }

  @Test
  void inTurn_serverIsNoLongerInTheList_closesItsCarrierWhenNoCallRuns() throws Exception {
    List<InetAddress> ips = new CopyOnWriteArrayList<>();
    for (int i = 1; i <= 3; i++) {
      ips.add(InetAddress.getByName("192.0.2." + i));
    }
    Servers servers = NamedServers.changing("files.example", 7070, () -> ips);
    RoutePerServer routes = new RoutePerServer(servers, this::carrier);
    List<Routes.Route> before = routes.inTurn();
    for (Routes.Route route : before) {
      assertThat(route.begin()).isNotNull();
    }
    before.get(1).end();
    before.get(2).end();
    ips.set(0, InetAddress.getByName("192.0.2.4"));
    ips.remove(1);
    servers.lookUpAgain();
    while (servers.endpoints().size() > 2) {
      Thread.sleep(1);
    }
    assertThat(routes.inTurn()).hasSize(2);
    assertThat(closed).containsExactly("192.0.2.2");
    before.get(0).end();
    assertThat(routes.inTurn()).hasSize(2);
    assertThat(closed).containsExactly("192.0.2.2", "192.0.2.1");
    routes.close();
    assertThat(closed).containsExactly("192.0.2.2", "192.0.2.1", "192.0.2.3");
  }
}
