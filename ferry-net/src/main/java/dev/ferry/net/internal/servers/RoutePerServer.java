package dev.ferry.net.internal.servers;

import dev.ferry.core.Carrier;
import dev.ferry.core.TransferOptions;
import dev.ferry.net.Servers;
import dev.ferry.net.Servers.Endpoint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A carrier for each server, which is made when it is needed. */
public final class RoutePerServer implements Routes {
  private final Servers servers;
  private final Function<Endpoint, Carrier> connector;

  // The lock of this object guards the following.
  private final Map<Endpoint, Carrier> carriers = new HashMap<>();
  private @Nullable TransferOptions limits;
  private boolean closed;

  /**
   * @param connector makes a carrier that connects lazily
   */
  public RoutePerServer(Servers servers, Function<Endpoint, Carrier> connector) {
    this.servers = servers;
    this.connector = connector;
  }

  private record ServerRoute(RoutePerServer routes, Endpoint server) implements Route {
    @Override
    public Carrier carrier() {
      return routes.carrier(server);
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
    return servers.inTurn().stream().map(server -> (Route) new ServerRoute(this, server)).toList();
  }

  private synchronized Carrier carrier(Endpoint server) {
    Carrier known = carriers.get(server);
    if (known != null) {
      return known;
    }
    Carrier made = connector.apply(server);
    if (limits != null) {
      made.limitCalls(limits);
    }
    if (closed) {
      // Its calls fail then, as those of the others.
      made.close();
    }
    carriers.put(server, made);
    return made;
  }

  @Override
  public synchronized void limitCalls(TransferOptions value) {
    limits = value;
    carriers.values().forEach(carrier -> carrier.limitCalls(value));
  }

  @Override
  public void close() {
    List<Carrier> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(carriers.values());
    }
    all.forEach(Carrier::close);
  }
}
