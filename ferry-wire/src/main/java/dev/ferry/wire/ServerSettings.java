package dev.ferry.wire;

import dev.ferry.wire.internal.AccessRules;
import dev.ferry.wire.internal.Authority;
import dev.ferry.wire.internal.CountedCallers;
import dev.ferry.wire.internal.contract.BasePath;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Limits, access rules and certificate of a server, for all of its ports. Ports with the same
 * instance count their connections together.
 *
 * @param connections counts and limits open connections
 * @param handshakeTimeout maximum time from opening a connection until its protocol is known
 * @param idleTimeout maximum time a connection stays open without a request
 * @param stallTimeout maximum time that a client neither sends nor accepts bytes that are due; zero
 *     means no limit
 * @param hostNames host names without a port that an HTTP port accepts in addition to loopback
 *     names, for instance {@code files.example.org}. If the list is empty, a port that is not bound
 *     to a loopback address accepts any host ({@link AccessRules})
 * @param allowedOrigins other origins whose pages may use the server
 * @param basePath the path below which a proxy has the HTTP port, such as {@code /ferry}; empty for
 *     none. The port takes requests with and without it, and its responses lead to paths below it
 * @param tls the certificate of all ports; null for plain text
 * @param callers who may use the files of the server, and how; null for everyone who reaches a port
 * @param listener receives the requests of all ports
 */
public record ServerSettings(
    ConnectionCounter connections,
    Duration handshakeTimeout,
    Duration idleTimeout,
    Duration stallTimeout,
    List<String> hostNames,
    CrossOrigin allowedOrigins,
    String basePath,
    @Nullable ServerTls tls,
    @Nullable Callers callers,
    RequestListener listener) {
  /** Default maximum number of connections. */
  public static final int DEFAULT_MAX_CONNECTIONS = 4096;

  /** Default maximum number of connections of one client address. */
  public static final int DEFAULT_MAX_CONNECTIONS_PER_ADDRESS = 1024;

  /** Default maximum time a connection stays open without a request. */
  public static final Duration DEFAULT_IDLE_TIMEOUT = Duration.ofSeconds(60);

  /** Minimum idle timeout. gRPC counts the idle time of a connection in whole seconds. */
  public static final Duration LEAST_IDLE_TIMEOUT = Duration.ofSeconds(1);

  /** Default maximum time that a client neither sends nor accepts bytes that are due. */
  public static final Duration DEFAULT_STALL_TIMEOUT = Duration.ofSeconds(60);

  private static final Duration HANDSHAKE = Duration.ofSeconds(10);

  /**
   * Copies the host names.
   *
   * @throws IllegalArgumentException if a name is not a host name without a port, or the base path
   *     is malformed or a path of the server itself
   */
  public ServerSettings {
    hostNames = List.copyOf(hostNames);
    callers = callers == null ? null : CountedCallers.of(callers);
    basePath = basePath.isEmpty() ? "" : BasePath.parse(basePath).value();
    for (String name : hostNames) {
      Authority host = Authority.parse(name);
      if (host == null || !host.port().isEmpty() || name.endsWith(":")) {
        throw new IllegalArgumentException(
            "'" + name + "' is not a host name such as files.example.org, without a port");
      }
    }
  }

  /**
   * Default limits in plain text for everyone, with a new counter, no additional host names, no
   * allowed origins and no base path.
   */
  public static ServerSettings defaults() {
    return new ServerSettings(
        new ConnectionCounter(DEFAULT_MAX_CONNECTIONS, DEFAULT_MAX_CONNECTIONS_PER_ADDRESS),
        HANDSHAKE,
        DEFAULT_IDLE_TIMEOUT,
        DEFAULT_STALL_TIMEOUT,
        List.of(),
        CrossOrigin.NONE,
        "",
        null,
        null,
        RequestListener.NONE);
  }

  public ServerSettings withConnections(ConnectionCounter value) {
    return new ServerSettings(
        value,
        handshakeTimeout,
        idleTimeout,
        stallTimeout,
        hostNames,
        allowedOrigins,
        basePath,
        tls,
        callers,
        listener);
  }

  public ServerSettings withHandshakeTimeout(Duration value) {
    return new ServerSettings(
        connections,
        value,
        idleTimeout,
        stallTimeout,
        hostNames,
        allowedOrigins,
        basePath,
        tls,
        callers,
        listener);
  }

  public ServerSettings withIdleTimeout(Duration value) {
    return new ServerSettings(
        connections,
        handshakeTimeout,
        value,
        stallTimeout,
        hostNames,
        allowedOrigins,
        basePath,
        tls,
        callers,
        listener);
  }

  public ServerSettings withStallTimeout(Duration value) {
    return new ServerSettings(
        connections,
        handshakeTimeout,
        idleTimeout,
        value,
        hostNames,
        allowedOrigins,
        basePath,
        tls,
        callers,
        listener);
  }

  public ServerSettings withHostNames(List<String> value) {
    return new ServerSettings(
        connections,
        handshakeTimeout,
        idleTimeout,
        stallTimeout,
        value,
        allowedOrigins,
        basePath,
        tls,
        callers,
        listener);
  }

  public ServerSettings withAllowedOrigins(CrossOrigin value) {
    return new ServerSettings(
        connections,
        handshakeTimeout,
        idleTimeout,
        stallTimeout,
        hostNames,
        value,
        basePath,
        tls,
        callers,
        listener);
  }

  public ServerSettings withBasePath(String value) {
    return new ServerSettings(
        connections,
        handshakeTimeout,
        idleTimeout,
        stallTimeout,
        hostNames,
        allowedOrigins,
        value,
        tls,
        callers,
        listener);
  }

  public ServerSettings withTls(@Nullable ServerTls value) {
    return new ServerSettings(
        connections,
        handshakeTimeout,
        idleTimeout,
        stallTimeout,
        hostNames,
        allowedOrigins,
        basePath,
        value,
        callers,
        listener);
  }

  public ServerSettings withCallers(@Nullable Callers value) {
    return new ServerSettings(
        connections,
        handshakeTimeout,
        idleTimeout,
        stallTimeout,
        hostNames,
        allowedOrigins,
        basePath,
        tls,
        value,
        listener);
  }

  public ServerSettings withListener(RequestListener value) {
    return new ServerSettings(
        connections,
        handshakeTimeout,
        idleTimeout,
        stallTimeout,
        hostNames,
        allowedOrigins,
        basePath,
        tls,
        callers,
        value);
  }
}
