package dev.ferry.cli;

import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say which server a command talks to, and the talking. */
final class ServerOptions {
  /** The option that a server's silence is about. */
  static final String STALL_TIMEOUT = "--stall-timeout";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--server",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description =
          "The server: HOST, HOST:PORT or [IPV6]:PORT (default: ${DEFAULT-VALUE}). Without a port: "
              + CarrierChoice.GRPC_PORT
              + " for grpc, "
              + CarrierChoice.HTTP_PORT
              + " for all other carriers.")
  private String server;

  @Option(
      names = "--carrier",
      paramLabel = "CARRIER",
      defaultValue = "grpc",
      converter = CarrierChoice.Converter.class,
      description = "How to travel: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private CarrierChoice carrier;

  private volatile @Nullable Carrier running;

  @SuppressWarnings("NullAway.Init") // picocli injects the first three
  ServerOptions() {}

  /** What a command does with a connection. */
  @FunctionalInterface
  interface Action<T> {
    T run(Carrier carrier) throws FerryException;
  }

  /** Connects, acts, closes; a failure comes back with what its user can do about it. */
  <T> T call(Action<T> action) throws FerryException {
    ServerAddress address = address();
    Integer given = address.port();
    int port = given == null ? carrier.defaultPort() : given;
    try (Carrier connection = carrier.connect(address.host(), port)) {
      running = connection;
      return action.run(connection);
    } catch (FerryException e) {
      Advice advice = new Advice(spec, carrier, address.host(), port);
      throw new FerryException(e.kind(), e.outage(), advice.line(e), e);
    }
  }

  /** Closes the connection under a running call, which then fails; callable from any thread. */
  void stop() {
    Carrier connection = running;
    if (connection != null) {
      connection.close();
    }
  }

  CarrierChoice carrier() {
    return carrier;
  }

  private ServerAddress address() {
    try {
      return ServerAddress.parse(server);
    } catch (IllegalArgumentException e) {
      throw wrongUse("--server: " + e.getMessage(), e);
    }
  }

  /** Checks a file's path before anything travels. */
  StorePath filePath(String text) {
    try {
      return StorePath.parse(text);
    } catch (FerryException e) {
      throw wrongUse(String.valueOf(e.getMessage()), e);
    }
  }

  /** Checks a directory's path, whose last {@code /} may be there or not. */
  StorePath directoryPath(String text) {
    try {
      return StorePath.parseDirectory(
          text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
    } catch (FerryException e) {
      throw wrongUse(String.valueOf(e.getMessage()), e);
    }
  }

  ParameterException wrongUse(String message, Exception cause) {
    return new ParameterException(spec.commandLine(), message, cause);
  }
}
