package dev.ferry.wire.internal.servers;

import dev.ferry.core.Carrier;
import dev.ferry.wire.Servers;
import dev.ferry.wire.Servers.Endpoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * A carrier for each server, which is made when it is needed, and closed when the server is no
 * longer one of the list and no call runs there.
 */
public final class RoutePerServer implements Routes {
  private final Servers servers;
  private final Function<Endpoint, Carrier> connector;

  // The lock of this object guards the following.
  private final Map<Endpoint, Used> carriers = new HashMap<>();
  private boolean closed;

  /**
   * @param connector makes a carrier that connects lazily
   */
  public RoutePerServer(Servers servers, Function<Endpoint, Carrier> connector) {
    this.servers = servers;
    this.connector = connector;
  }

  /** A carrier, and how many calls run. */
  private static final class Used {
    final Carrier carrier;
    int calls;

    Used(Carrier carrier) {
      this.carrier = carrier;
    }
  }

  private record ServerRoute(RoutePerServer routes, Endpoint server) implements Route {
    @Override
    public Carrier begin() {
      return routes.begin(server);
    }

    @Override
    public void end() {
      routes.end(server);
    }

    @Override
    public void served() {
      routes.servers.served(server);
    }

    @Override
    public void failed() {
      routes.servers.failed(server);
    }
  }

  @Override
  public List<Route> inTurn() {
    List<Endpoint> inTurn = servers.inTurn();
    leaveOthers(inTurn);
    return inTurn.stream().map(server -> (Route) new ServerRoute(this, server)).toList();
  }

  /** Closes the carriers to other servers than these, unless a call runs there. */
  private void leaveOthers(List<Endpoint> current) {
    List<Carrier> idle = new ArrayList<>();
    synchronized (this) {
      carriers
          .entrySet()
          .removeIf(
              known -> {
                boolean leave = known.getValue().calls == 0 && !current.contains(known.getKey());
                return leave && idle.add(known.getValue().carrier);
              });
    }
    idle.forEach(Carrier::close);
  }

  private synchronized Carrier begin(Endpoint server) {
    Used used = carriers.computeIfAbsent(server, this::connect);
    used.calls++;
    return used.carrier;
  }

  private synchronized void end(Endpoint server) {
    // It is there, since a call runs.
    Objects.requireNonNull(carriers.get(server)).calls--;
  }

  private Used connect(Endpoint server) {
    Carrier made = connector.apply(server);
    if (closed) {
      // Its calls fail then, as those of the others.
      made.close();
    }
    return new Used(made);
  }

  @Override
  public void close() {
    List<Carrier> all;
    synchronized (this) {
      closed = true;
      all = carriers.values().stream().map(used -> used.carrier).toList();
    }
    all.forEach(Carrier::close);
  }
}
