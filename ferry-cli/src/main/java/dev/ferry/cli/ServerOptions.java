package dev.ferry.cli;

import dev.ferry.cli.program.ServerAddress;
import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.net.ClientTls;
import dev.ferry.net.Token;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for the server of a command, and the connection to it. */
final class ServerOptions {
  /** The option for the maximum time without progress. */
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

  @Option(
      names = "--tls",
      description =
          "Encrypt by TLS, and check that the server's certificate is trusted and for the host of"
              + " --server, or that its key is pinned.")
  private boolean tls;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description =
          "With --tls: the certificates to trust, in PEM form (default: those that Java trusts).")
  private @Nullable Path ca;

  @Option(
      names = "--pin",
      paramLabel = "PIN",
      description =
          "With --tls: trust the server whose key has this pin, whatever else its certificate says."
              + " A pin is sha256/ and the SHA-256 of the key's SubjectPublicKeyInfo in base64. Can"
              + " be given several times.")
  private List<String> pins = List.of();

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "A file with the token by which the server knows you (default: the environment variable "
              + TokenSource.VARIABLE
              + ", if it is set).")
  private @Nullable Path tokenFile;

  @Option(
      names = "--insecure-no-tls",
      description =
          "Send the token without --tls even to another machine. Everyone on the way can read it.")
  private boolean plainToken;

  private volatile @Nullable Carrier running;
  private volatile @Nullable Token token;

  @SuppressWarnings("NullAway.Init") // picocli injects all that is not nullable
  ServerOptions() {}

  /** An action of a command that uses a connection. */
  @FunctionalInterface
  interface Action<T> {
    T run(Carrier carrier) throws FerryException;
  }

  /**
   * Connects, runs the action, and closes the connection. Adds to a failure what the user can do
   * about it.
   */
  <T> T call(Action<T> action) throws FerryException {
    ServerAddress address = address();
    ClientTls trust = tls();
    token = token(address);
    try (Carrier connection = carrier.connect(address.host(), port(address), trust, token)) {
      running = connection;
      return action.run(connection);
    } catch (FerryException e) {
      Advice advice =
          new Advice(spec, carrier, address.host(), port(address), tls, !pins.isEmpty());
      throw new FerryException(e.kind(), e.outage(), advice.line(e), e);
    }
  }

  /** Makes one more client for the action of {@link #call}. The caller closes it. */
  Carrier connect() throws FerryException {
    ServerAddress address = address();
    return carrier.connect(address.host(), port(address), tls(), token);
  }

  private @Nullable Token token(ServerAddress address) throws FerryException {
    Token given = TokenSource.of(tokenFile, System.getenv(), spec.commandLine().getErr());
    if (given == null || given.maySendTo(address.host(), tls)) {
      return given;
    }
    if (plainToken) {
      return given.inPlainText();
    }
    throw new ParameterException(
        spec.commandLine(),
        (tokenFile == null ? TokenSource.VARIABLE : "--token-file")
            + ": the token is not sent to "
            + address.host()
            + " in plain text; add --tls, or --insecure-no-tls if nobody is on the way");
  }

  private int port(ServerAddress address) {
    Integer given = address.port();
    return given == null ? carrier.defaultPort() : given;
  }

  private @Nullable ClientTls tls() throws FerryException {
    if (!tls) {
      if (ca != null || !pins.isEmpty()) {
        throw wrongUse((ca != null ? "--ca" : "--pin") + ": is for TLS; add --tls", null);
      }
      return null;
    }
    if (!pins.isEmpty()) {
      return pinning();
    }
    try {
      return ca == null ? ClientTls.trustingJdk() : ClientTls.trusting(ca);
    } catch (IOException e) {
      throw new FerryException(ErrorKind.INVALID_REQUEST, "--ca: " + e.getMessage(), e);
    }
  }

  private ClientTls pinning() {
    if (ca != null) {
      throw wrongUse("--ca: --pin trusts one key and no certificate; leave out one of both", null);
    }
    try {
      return ClientTls.pinning(pins);
    } catch (IllegalArgumentException e) {
      throw wrongUse("--pin: " + e.getMessage(), e);
    }
  }

  /** Closes the connection, so that a running call fails. Any thread may call this. */
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

  /** Parses the path of a file before any request is sent. */
  StorePath filePath(String text) {
    try {
      return StorePath.parse(text);
    } catch (FerryException e) {
      throw wrongPath(text, e);
    }
  }

  /** Parses the path of a directory, with or without a trailing {@code /}. */
  StorePath directoryPath(String text) {
    try {
      return StorePath.parseDirectory(
          text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
    } catch (FerryException e) {
      throw wrongPath(text, e);
    }
  }

  private ParameterException wrongPath(String text, FerryException e) {
    return wrongUse(
        text.contains("://")
            ? "'" + text + "' is a URL: name the server with --server=HOST:PORT, and then the path"
            : String.valueOf(e.getMessage()),
        e);
  }

  ParameterException wrongUse(String message, @Nullable Exception cause) {
    return new ParameterException(spec.commandLine(), message, cause);
  }
}
