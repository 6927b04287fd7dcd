package dev.ferry.net;

import dev.ferry.net.internal.AccessRules;
import dev.ferry.net.internal.Authority;
import java.time.Duration;
import java.util.List;

/**
 * What a server allows its clients, the same on each of its ports. Ports that are given the same
 * instance count their connections together.
 *
 * @param connections counts open connections and says when there are too many
 * @param handshakeTimeout longest time from the opening of a connection until its protocol is known
 * @param idleTimeout longest time a connection may stay open without a request
 * @param stallTimeout longest time a client may neither send nor take a byte that is due; zero
 *     means any
 * @param hostNames names that a port of HTTP answers to beside those of loopback, without a port:
 *     {@code files.example.org}; where there are none, a port bound to another address than
 *     loopback's answers to any ({@link AccessRules})
 * @param allowedOrigins other web sites whose pages may use the server
 */
public record ServerSettings(
    ConnectionCounter connections,
    Duration handshakeTimeout,
    Duration idleTimeout,
    Duration stallTimeout,
    List<String> hostNames,
    CrossOrigin allowedOrigins) {
  /** Most connections of a server that has no limit of its own. */
  public static final int DEFAULT_MAX_CONNECTIONS = 4096;

  /** Most connections of one client address. */
  public static final int DEFAULT_MAX_CONNECTIONS_PER_ADDRESS = 1024;

  /** How long a connection stays open without a request. */
  public static final Duration DEFAULT_IDLE_TIMEOUT = Duration.ofSeconds(60);

  /** Less is no use: gRPC counts the idle time of a connection in whole seconds. */
  public static final Duration LEAST_IDLE_TIMEOUT = Duration.ofSeconds(1);

  /** How long a client may neither send nor take a byte that is due. */
  public static final Duration DEFAULT_STALL_TIMEOUT = Duration.ofSeconds(60);

  private static final Duration HANDSHAKE = Duration.ofSeconds(10);

  /**
   * Copies the names.
   *
   * @throws IllegalArgumentException where one is no name of a host
   */
  public ServerSettings {
    hostNames = List.copyOf(hostNames);
    for (String name : hostNames) {
      Authority host = Authority.parse(name);
      if (host == null || !host.port().isEmpty() || name.endsWith(":")) {
        throw new IllegalArgumentException(
            "'" + name + "' is no host name such as files.example.org, without a port");
      }
    }
  }

  /** The default limits, with a counter of its own; no other host names and origins. */
  public static ServerSettings defaults() {
    return new ServerSettings(
        new ConnectionCounter(DEFAULT_MAX_CONNECTIONS, DEFAULT_MAX_CONNECTIONS_PER_ADDRESS),
        HANDSHAKE,
        DEFAULT_IDLE_TIMEOUT,
        DEFAULT_STALL_TIMEOUT,
        List.of(),
        CrossOrigin.NONE);
  }

  public ServerSettings withConnections(ConnectionCounter value) {
    return new ServerSettings(
        value, handshakeTimeout, idleTimeout, stallTimeout, hostNames, allowedOrigins);
  }

  public ServerSettings withHandshakeTimeout(Duration value) {
    return new ServerSettings(
        connections, value, idleTimeout, stallTimeout, hostNames, allowedOrigins);
  }

  public ServerSettings withIdleTimeout(Duration value) {
    return new ServerSettings(
        connections, handshakeTimeout, value, stallTimeout, hostNames, allowedOrigins);
  }

  public ServerSettings withStallTimeout(Duration value) {
    return new ServerSettings(
        connections, handshakeTimeout, idleTimeout, value, hostNames, allowedOrigins);
  }

  public ServerSettings withHostNames(List<String> value) {
    return new ServerSettings(
        connections, handshakeTimeout, idleTimeout, stallTimeout, value, allowedOrigins);
  }

  public ServerSettings withAllowedOrigins(CrossOrigin value) {
    return new ServerSettings(
        connections, handshakeTimeout, idleTimeout, stallTimeout, hostNames, value);
  }
}
