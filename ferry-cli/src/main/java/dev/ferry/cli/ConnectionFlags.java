package dev.ferry.cli;

import dev.ferry.cli.program.TimeConverter;
import dev.ferry.wire.ConnectionCounter;
import dev.ferry.wire.ServerSettings;
import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for connection limits and timeouts of a server. */
final class ConnectionFlags {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--max-connections",
      paramLabel = "N",
      description =
          "The most connections on all ports together; more are closed at once (default:"
              + " ${DEFAULT-VALUE}).")
  private int maxConnections = ServerSettings.DEFAULT_MAX_CONNECTIONS;

  @Option(
      names = "--max-connections-per-address",
      paramLabel = "N",
      description = "The most connections from one address (default: ${DEFAULT-VALUE}).")
  private int maxPerAddress = ServerSettings.DEFAULT_MAX_CONNECTIONS_PER_ADDRESS;

  @Option(
      names = "--idle-timeout",
      paramLabel = "TIME",
      converter = TimeConverter.class,
      description =
          "How long a connection stays open without a request, such as 90s or 5m; a second at least"
              + " (default: 60s).")
  private Duration idleTimeout = ServerSettings.DEFAULT_IDLE_TIMEOUT;

  @Option(
      names = "--stall-timeout",
      paramLabel = "TIME",
      converter = TimeConverter.class,
      description =
          "Time without data after which a transfer ends; 0 means no limit (default: 60s).")
  private Duration stallTimeout = ServerSettings.DEFAULT_STALL_TIMEOUT;

  /** Applies the options to the settings. */
  ServerSettings in(ServerSettings settings) {
    requirePositive("--max-connections", maxConnections);
    requirePositive("--max-connections-per-address", maxPerAddress);
    if (idleTimeout.compareTo(ServerSettings.LEAST_IDLE_TIMEOUT) < 0) {
      throw new ParameterException(
          spec.commandLine(), "--idle-timeout: less than a second; give 1s or more");
    }
    return settings
        .withConnections(new ConnectionCounter(maxConnections, maxPerAddress))
        .withIdleTimeout(idleTimeout)
        .withStallTimeout(stallTimeout);
  }

  private void requirePositive(String option, int value) {
    if (value < 1) {
      throw new ParameterException(
          spec.commandLine(), option + ": " + value + " lets nobody in; give 1 or more");
    }
  }
}
