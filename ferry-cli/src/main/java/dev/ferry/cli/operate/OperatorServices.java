package dev.ferry.cli.operate;

import dev.ferry.cli.access.ListenAddress;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.ServerAddress;
import dev.ferry.http.internal.server.HttpServer;
import dev.ferry.wire.RequestListener;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What runs beside the ports of a server, for its operator. Thread-safe. */
public final class OperatorServices implements AutoCloseable {
  private final Drain drain;
  private final List<ServerLog> logs;
  private final @Nullable AuditLog audit;
  private final @Nullable ServerAddress admin;
  private final @Nullable ServerMetrics metrics;
  private @Nullable HttpServer adminPort;

  /**
   * @param logs the log, which is on standard error unless the user has configured another
   * @param audit null for none
   * @param admin where to open the admin port; null for none
   */
  OperatorServices(
      Drain drain, List<ServerLog> logs, @Nullable AuditLog audit, @Nullable ServerAddress admin) {
    this.drain = drain;
    this.logs = logs;
    this.audit = audit;
    this.admin = admin;
    this.metrics = admin == null ? null : new ServerMetrics();
  }

  /** Returns the orderly end of the server. */
  public Drain drain() {
    return drain;
  }

  /** Adds what receives the requests to the settings of the ports. */
  public ServerSettings in(ServerSettings settings) {
    List<RequestListener> listeners = new ArrayList<>();
    listeners.add(new RequestLines());
    if (audit != null) {
      listeners.add(audit);
    }
    if (metrics != null) {
      listeners.add(metrics);
    }
    return settings.withListener(new Listeners(List.copyOf(listeners)));
  }

  /**
   * Starts the admin port if there is one.
   *
   * @param settings the settings of the ports, whose host names the admin port accepts as well
   * @param ports the ports by their names
   * @return its address; null if there is none
   * @throws FerryException if it cannot listen there
   */
  public @Nullable String startAdmin(ServerSettings settings, Map<String, ServerPort> ports)
      throws FerryException {
    ServerMetrics shown = metrics;
    if (admin == null || admin.port() == null || shown == null) {
      return null;
    }
    ports.forEach(shown::add);
    shown.add(
        settings,
        drain::isRequested,
        () -> audit == null ? 0 : audit.lost(),
        () -> logs.stream().mapToLong(ServerLog::lost).sum());
    try {
      HttpServer server =
          HttpServer.start(
              "ferry-admin",
              admin.host(),
              admin.port(),
              ServerSettings.defaults()
                  .withHostNames(settings.hostNames())
                  .withBasePath(settings.basePath()),
              () -> new AdminHandler(shown, drain::isRequested),
              () -> {});
      adminPort = server;
      return "http://" + ServerAddress.format(admin.host(), server.port());
    } catch (FerryException e) {
      throw ListenAddress.cannotListen(String.valueOf(e.getMessage()), "--admin", e);
    }
  }

  /** Closes the admin port and completes both logs. The other ports must be closed. */
  @Override
  public void close() {
    if (adminPort != null) {
      adminPort.close();
    }
    if (audit != null) {
      audit.close();
    }
    if (metrics != null) {
      metrics.close();
    }
    logs.forEach(ServerLog::close);
  }
}
