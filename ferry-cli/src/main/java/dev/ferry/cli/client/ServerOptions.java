package dev.ferry.cli.client;

import dev.ferry.cli.program.TimeConverter;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Retries;
import dev.ferry.core.internal.ServerAddress;
import dev.ferry.library.Protocol;
import dev.ferry.library.internal.FileAddress;
import dev.ferry.wire.ClientCertificate;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.Servers;
import dev.ferry.wire.Token;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The options for the server of a command, and what they say once they are checked. */
final class ServerOptions {
  /** Retries by default: they take about 15 s in the mean. */
  private static final int RETRIES = 5;

  private static final String LOOPBACK = "127.0.0.1";
  private static final String CLIENT = "--client";
  private static final String TOKEN_FILE = "--token-file";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--server",
      paramLabel = "ADDRESS",
      description =
          "The server: HOST, HOST:PORT or [IPV6]:PORT, or several of the same files with commas"
              + " between them (default: "
              + LOOPBACK
              + "). Without a port: "
              + Protocol.HTTP_PORT
              + " for http, "
              + Protocol.GRPC_PORT
              + " for grpc. A path can name its server instead, such as"
              + " ferry://HOST:PORT/PATH; docs/commands.md has all forms.")
  private @Nullable String server;

  @Option(
      names = CLIENT,
      paramLabel = "CLIENT",
      converter = CarrierChoice.Converter.class,
      description =
          "The protocol: ${COMPLETION-CANDIDATES} (default: http; grpc with --zstd or a --level"
              + " other than 1, or if the server speaks only grpc).")
  private @Nullable CarrierChoice chosen;

  @Option(
      names = "--carrier",
      paramLabel = "CLIENT",
      hidden = true,
      converter = CarrierChoice.Converter.class,
      description = "The earlier name of " + CLIENT + ".")
  private @Nullable CarrierChoice formerlyNamed;

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
      names = "--tls-cert",
      paramLabel = "FILE",
      description =
          "With --tls: your client certificate in PEM form, followed by those of its issuers."
              + " Needs --tls-key.")
  private @Nullable Path certificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "The key of --tls-cert: a PEM file, RSA or EC, in PKCS #8, not encrypted.")
  private @Nullable Path key;

  @Option(
      names = TOKEN_FILE,
      paramLabel = "FILE",
      description =
          "A file with your token (default: the environment variable "
              + TokenSource.VARIABLE
              + ", if --server or an address names the server).")
  private @Nullable Path tokenFile;

  @Option(
      names = "--insecure-no-tls",
      description =
          "Send the token without --tls even to another machine. Everyone on the way can read it.")
  private boolean plainToken;

  @Option(
      names = "--retries",
      paramLabel = "N",
      description =
          "Retries while the server cannot be reached, loses the connection, or reports that it is"
              + " overloaded or shutting down; progress resets the count (default: "
              + RETRIES
              + ", or any number with --retry-for).")
  private @Nullable Integer retries;

  @Option(
      names = "--retry-for",
      paramLabel = "TIME",
      converter = TimeConverter.class,
      description = "Time limit of retries without progress, such as 10m; 0 means no limit.")
  private @Nullable Duration retryFor;

  private String tokenOption = TOKEN_FILE;

  /** Whether this is another server than the first one of the command. */
  private boolean foreign;

  private @Nullable Token token;

  ServerOptions() {}

  /**
   * The options for another address of a command, with the same retries and trusted certificates.
   *
   * @param same whether it is the address of the same server, which alone gets the token or a
   *     certificate of the client
   * @param tls whether it is called over TLS
   * @param ownToken a file with the token for that address; null if it has none of its own
   */
  ServerOptions(ServerOptions first, boolean same, boolean tls, @Nullable Path ownToken) {
    spec = first.spec;
    chosen = first.client();
    this.tls = first.tls;
    plainToken = first.plainToken;
    retries = first.retries;
    retryFor = first.retryFor;
    foreign = !same;
    if (tls) {
      ca = first.ca;
      pins = first.pins;
    }
    if (same) {
      tokenFile = first.tokenFile;
      certificate = tls ? first.certificate : null;
      key = tls ? first.key : null;
    }
    if (ownToken != null) {
      tokenFile = ownToken;
      tokenOption = SecondServer.TOKEN_FILE;
    }
  }

  CommandSpec command() {
    return spec;
  }

  /** Whether a server is named. */
  boolean namesServer() {
    return server != null;
  }

  /**
   * Returns the address of the root folder, for a command whose arguments have no address.
   *
   * @throws IllegalArgumentException if the option is malformed
   */
  FileAddress address() {
    List<ServerAddress> servers = ServerAddress.parseList(server == null ? LOOPBACK : server);
    return new FileAddress(FileAddress.Scheme.FERRY, servers, "", "", "");
  }

  /** Returns what the user has chosen; null for nothing. */
  @Nullable CarrierChoice client() {
    return chosen == null ? formerlyNamed : chosen;
  }

  /** Whether TLS was asked for, whatever an address says. */
  boolean tls() {
    return tls;
  }

  /** Checks that nothing contradicts an address that names the server. */
  void requireFit(FileAddress address, String argument) {
    ParseResult typed = spec.commandLine().getParseResult();
    if (typed.hasMatchedOption("--server")) {
      throw wrongUse("--server: " + argument + " names the server; leave out one of them");
    }
    boolean typedClient = typed.hasMatchedOption(CLIENT) || typed.hasMatchedOption("--carrier");
    if (address.scheme().isHttp() && typedClient && client() == CarrierChoice.GRPC) {
      throw wrongUse(CLIENT + ": grpc is not for " + address.scheme() + "://");
    }
    if (address.scheme() == FileAddress.Scheme.HTTP && tls) {
      throw wrongUse("--tls: write https:// in the address");
    }
  }

  /**
   * Returns what TLS has to check; null for plain text.
   *
   * @param used whether the server is called over TLS
   */
  @Nullable ClientTls clientTls(boolean used) throws FerryException {
    if (!used) {
      String option =
          ca != null
              ? "--ca"
              : !pins.isEmpty()
                  ? "--pin"
                  : certificate != null ? "--tls-cert" : key != null ? "--tls-key" : null;
      if (option != null) {
        throw wrongUse(option + ": works only with TLS; add --tls");
      }
      return null;
    }
    return (pins.isEmpty() ? trusting() : pinning()).withCertificate(certificate());
  }

  private ClientTls trusting() throws FerryException {
    try {
      return ca == null ? ClientTls.trustingJdk() : ClientTls.trusting(ca);
    } catch (IOException e) {
      throw new FerryException(ErrorKind.INVALID_REQUEST, "--ca: " + e.getMessage(), e);
    }
  }

  private @Nullable ClientCertificate certificate() throws FerryException {
    if (certificate == null && key == null) {
      return null;
    }
    if (certificate == null || key == null) {
      throw wrongUse(
          certificate == null
              ? "--tls-key: needs its certificate; add --tls-cert CERT.pem"
              : "--tls-cert: needs its key; add --tls-key KEY.pem");
    }
    try {
      return ClientCertificate.load(certificate, key);
    } catch (IOException e) {
      throw new FerryException(ErrorKind.INVALID_REQUEST, String.valueOf(e.getMessage()), e);
    }
  }

  private ClientTls pinning() {
    if (ca != null) {
      throw wrongUse("--ca: --pin trusts one key and no certificate; leave out one of them");
    }
    try {
      return ClientTls.pinning(pins);
    } catch (IllegalArgumentException e) {
      throw wrongUse("--pin: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the token; null if there is none.
   *
   * @param named whether the command names its server
   * @param servers those that get it
   * @param encrypted whether they are called over TLS
   */
  synchronized @Nullable Token token(
      boolean named, List<Servers.Address> servers, boolean encrypted) throws FerryException {
    boolean inVariable = named && !foreign && System.getenv(TokenSource.VARIABLE) != null;
    if (token == null && (tokenFile != null || inVariable)) {
      // Once: a warning of the file is printed.
      token =
          TokenSource.of(
              tokenFile, tokenOption, inVariable, System.getenv(), spec.commandLine().getErr());
    }
    Token known = token;
    Servers.Address forbidden =
        known == null
            ? null
            : servers.stream()
                .filter(address -> !known.maySendTo(address.host(), encrypted))
                .findFirst()
                .orElse(null);
    if (known == null || forbidden == null) {
      return known;
    }
    if (plainToken) {
      return known.inPlainText();
    }
    throw wrongUse(
        (tokenFile == null ? TokenSource.VARIABLE : tokenOption)
            + ": the token is not sent to "
            + forbidden.host()
            + " in plain text; add --tls, or --insecure-no-tls if nobody is on the way");
  }

  /**
   * Returns how the server gets a token.
   *
   * @param named whether the command names its server
   */
  String tokenRemedy(boolean named) {
    return tokenFile == null && !named && TokenSource.isInVariable(System.getenv())
        ? TokenSource.VARIABLE + " is only for a server that --server names"
        : "give your token with " + (foreign ? SecondServer.TOKEN_FILE : TOKEN_FILE);
  }

  /** Whether the server knows the user, by a token that was read or by a certificate. */
  synchronized boolean namesUser() {
    return token != null || certificate != null;
  }

  /** Whether a key is trusted by its pin. */
  boolean pinsKey() {
    return !pins.isEmpty();
  }

  /** Returns how often a call is repeated. */
  Retries retries() {
    int most = retries == null ? (retryFor == null ? RETRIES : Integer.MAX_VALUE) : retries;
    if (most < 0) {
      throw wrongUse("--retries: " + most + " is negative; give 0 or more");
    }
    return Retries.of(most, retryFor == null ? Duration.ZERO : retryFor);
  }

  /** Whether the user has asked for retries. */
  boolean asksForRetries() {
    return retries != null || retryFor != null;
  }

  ParameterException wrongUse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  ParameterException wrongUse(String message, Exception cause) {
    return new ParameterException(spec.commandLine(), message, cause);
  }
}
