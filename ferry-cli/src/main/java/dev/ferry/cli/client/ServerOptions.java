package dev.ferry.cli.client;

import dev.ferry.cli.client.ProbeResult.Kind;
import dev.ferry.cli.output.OutputFlags;
import dev.ferry.cli.program.PathConverter;
import dev.ferry.cli.program.TerminalLine;
import dev.ferry.cli.program.TimeConverter;
import dev.ferry.cli.progress.ProgressDisplay;
import dev.ferry.cli.tree.CarrierPool;
import dev.ferry.cli.tree.CarrierPool.Action;
import dev.ferry.cli.tree.RemoteFolder;
import dev.ferry.cli.tree.RemoteTree;
import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Carriers;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Outage;
import dev.ferry.core.RateLimit;
import dev.ferry.core.Retries;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.Amounts;
import dev.ferry.core.internal.PlainText;
import dev.ferry.core.internal.RepeatedCall;
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
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The options for the server of a command, and the connection to it. */
public final class ServerOptions {
  /** An address from which a path has dropped a slash. */
  private static final String ADDRESS_AS_PATH = "^(ferrys?|https?):/(?!/)";

  /** Retries by default: they take about 15 s in the mean. */
  private static final int RETRIES = 5;

  private static final String LOOPBACK = "127.0.0.1";

  /** How long a command on a terminal tries to reach a server that has not responded so far. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** What may be the matter if nothing listens. */
  static final String HINT = "is 'ferry serve' running there?";

  private static final String CLIENT = "--client";

  /** The option for the maximum time without progress. */
  static final String STALL_TIMEOUT = "--stall-timeout";

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
          "With --tls: your client certificate, in PEM form, followed by those that lead to its"
              + " root. Needs --tls-key.")
  private @Nullable Path certificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "The key of --tls-cert: a PEM file, RSA or EC, in PKCS #8, not encrypted.")
  private @Nullable Path key;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "A file with your token (default: the environment variable "
              + TokenSource.VARIABLE
              + ", if --server or an address names the server).")
  private @Nullable Path tokenFile;

  private String tokenOption = "--token-file";

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

  private final CarrierPool connections = new CarrierPool(this::connect);
  private @Nullable Token token;
  private @Nullable FileAddress given;
  private @Nullable Servers servers;

  /** Whether an argument without a server came before any address. */
  private boolean plainPath;

  /** The carrier if none was chosen. */
  private CarrierChoice found = CarrierChoice.HTTP;

  /** Whether the server has done something, or responded otherwise than by no connection. */
  private volatile boolean reached;

  private volatile boolean stopped;

  private @Nullable OutputFlags output;
  private final AtomicReference<@Nullable CarrierChoice> announced = new AtomicReference<>();
  private boolean streams;
  private boolean discards;

  /** Whether this is another server than the first one of the command. */
  private boolean foreign;

  /** Whether TLS was asked for by its option, which is not for the server of one address alone. */
  private boolean tlsOfAll;

  private @Nullable RateLimit rateLimit;

  /**
   * Makes a call, and repeats it as the options say. Adds to a failure what the user can do about
   * it.
   */
  public <T> T call(Action<T> action) throws FerryException {
    return call(null, null, action);
  }

  /**
   * Makes a call that transfers something.
   *
   * @param timeout time in which attempts begin; null means no limit
   */
  <T> T call(@Nullable ProgressDisplay progress, @Nullable Duration timeout, Action<T> action)
      throws FerryException {
    return call(progress, timeout, () -> 0, action);
  }

  /**
   * Makes a call that goes on where the last attempt was.
   *
   * @param done how far it is
   */
  <T> T call(
      @Nullable ProgressDisplay progress,
      @Nullable Duration timeout,
      LongSupplier done,
      Action<T> action)
      throws FerryException {
    Retries attempts = retries(progress, () -> "");
    return transfer(
        () ->
            RepeatedCall.begin(connections, attempts, timeout)
                .run((carrier, left) -> action.run(carrier), done),
        () -> false);
  }

  /**
   * Makes a transfer, which uses the {@linkplain #carriers carriers} and repeats itself. Adds to a
   * failure what the user can do about it.
   *
   * @param remembers whether the same command goes on with what has arrived, after a failure
   */
  <T> T transfer(Retries.Call<T> transfer, BooleanSupplier remembers) throws FerryException {
    return explained(
        () -> {
          T result = transfer.run();
          reached = true;
          return result;
        },
        remembers);
  }

  /** Returns the connections of the command. */
  Carriers carriers() {
    return connections;
  }

  /** Runs an action once. Whoever calls it repeats it after a failure, and explains that. */
  <T> T connected(Action<T> action) throws FerryException {
    Carrier carrier = connections.take();
    boolean succeeded = false;
    try {
      T result = action.run(carrier);
      succeeded = true;
      reached = true;
      return result;
    } finally {
      // A failure may be of the action's other tasks, while calls run on the carrier.
      connections.release(carrier, succeeded);
    }
  }

  /** Makes a call without a result, again after a failure if the options say so. */
  public void run(CarrierPool.Step step) throws FerryException {
    boolean unused =
        call(
            carrier -> {
              step.run(carrier);
              return true;
            });
  }

  /** Lists folders of the server, again after a failure if the options say so. */
  RemoteFolder.Lister lister() {
    return (directory, attempts) ->
        run(carrier -> carrier.list(directory, false, attempts.get(), CallLimits.DEFAULT));
  }

  /** Returns a tree of the server, which is listed in the same way. Its user closes it. */
  RemoteTree tree(StorePath root) {
    return new RemoteTree(
        lister(),
        (directory, attempts) ->
            call(carrier -> carrier.list(directory, true, attempts.get(), CallLimits.DEFAULT)),
        root);
  }

  /** Keeps connections for later actions, until the returned object is closed. */
  public CarrierPool.Kept keepConnections() {
    return connections.keep();
  }

  /** Adds to a failure of a call what the user can do about it. */
  public <T> T explained(Retries.Call<T> call) throws FerryException {
    return explained(call, () -> false);
  }

  private <T> T explained(Retries.Call<T> call, BooleanSupplier remembers) throws FerryException {
    // Wrong options need no advice about the server.
    ClientTls secured = tls();
    Token known = token();
    String how =
        (secured == null ? ", in plain text, " : ", over TLS, ")
            + (known == null ? "without a token" : "with a token");
    announce(how);
    CarrierChoice used = carrier();
    try {
      try {
        return call.run();
      } catch (FerryException e) {
        if (carrier() == used && !turnsToGrpc(e)) {
          throw e;
        }
        announce(how);
        return call.run();
      }
    } catch (FerryException e) {
      throw advice(remembers.getAsBoolean()).explained(e);
    }
  }

  private void announce(String how) {
    CarrierChoice carrier = carrier();
    if (output != null && output.verbose() && announced.getAndSet(carrier) != carrier) {
      output.detail(carrier + " to " + serverName() + how);
    }
  }

  /**
   * Changes the carrier to gRPC if none was chosen, and the server speaks nothing else where it was
   * called, or where it was not named.
   */
  private synchronized boolean turnsToGrpc(FerryException failure) throws FerryException {
    if (isUrl() || reached || carrier() == CarrierChoice.GRPC || choice() != null) {
      return false;
    }
    Outage outage = failure.outage();
    if (outage == null && failure.getCause() instanceof FerryException cause) {
      outage = cause.outage();
    }
    boolean grpc = false;
    if (outage == Outage.FOREIGN || outage == Outage.LOST || outage == Outage.REFUSED) {
      for (Servers.Address server : addresses(CarrierChoice.GRPC)) {
        grpc |= ProbeResult.at(server.host(), server.port(), tls).kind() == Kind.HTTP2_ONLY;
      }
    }
    if (grpc) {
      found = CarrierChoice.GRPC;
      servers = null;
    }
    return grpc;
  }

  private boolean isUrl() {
    return given != null && given.scheme().isHttp();
  }

  /** Returns host and port of the server; of several, with commas between them, as given. */
  private String serverName() {
    StringJoiner names = new StringJoiner(",");
    for (Servers.Address address : addresses()) {
      names.add(address + basePath());
    }
    return names.toString();
  }

  /** The base path in the address of the server; empty if there is none. */
  private String basePath() {
    return given == null ? "" : given.base();
  }

  /** Returns the same for what is remembered, whatever the order of several servers is. */
  String serverKey() {
    List<Servers.Address> all = addresses();
    return all.size() == 1 ? serverName() : String.join(",", FileAddress.sorted(all)) + basePath();
  }

  private FailureAdvice advice(boolean remembers) {
    String option = foreign ? SecondServer.TOKEN_FILE : "--token-file";
    String tokenRemedy =
        tokenFile == null && server == null && TokenSource.isInVariable(System.getenv())
            ? TokenSource.VARIABLE + " is only for a server that --server names"
            : "give your token with " + option;
    return new FailureAdvice(
        spec,
        carrier(),
        addresses(),
        tls,
        !pins.isEmpty(),
        tokenRemedy,
        isKnown(),
        streams,
        remembers);
  }

  private synchronized boolean isKnown() {
    return token != null || certificate != null;
  }

  /**
   * What is added to the words that a name is missing: of names that its rules hide from the user,
   * a server says the same. Empty if it knows no user.
   */
  String orHidden() {
    return isKnown() ? ", or the user may not see it" : "";
  }

  /**
   * The retries of the options. Each is announced on standard error.
   *
   * @param progress the display of the transfer; null if there is none
   * @param kept what the announcement adds: how much of the file need not be transferred again
   */
  Retries retries(@Nullable ProgressDisplay progress, Supplier<String> kept) {
    int most = retries == null ? (retryFor == null ? RETRIES : Integer.MAX_VALUE) : retries;
    if (most < 0) {
      throw new ParameterException(
          spec.commandLine(), "--retries: " + most + " is negative; give 0 or more");
    }
    // Whoever waits for a server asks for it; who has mistyped its name wants to read that.
    boolean asked = retries != null || retryFor != null;
    boolean impatient = !asked && TerminalLine.isTerminal();
    AtomicLong since = new AtomicLong();
    return Retries.of(most, retryFor == null ? Duration.ZERO : retryFor)
        .withListener(
            (failure, delay) -> {
              if (stopped || turnsToGrpc(failure)) {
                throw failure;
              }
              if (progress == null || progress.done() == 0) {
                advice(false).requireFerry(failure, asked || reached);
              }
              String hint = "";
              if (isAbsent(failure, progress)) {
                long now = System.nanoTime();
                long first = since.updateAndGet(time -> time == 0 ? now : time);
                if (impatient && now - first + delay.toNanos() > PATIENCE.toNanos()) {
                  throw failure;
                }
                hint = "; " + HINT;
              }
              String again =
                  failure.hasOtherServers() && delay.isZero()
                      ? "; trying another server" + kept.get()
                      : delay.isZero()
                          ? "; starting again"
                          : "; retrying in " + Amounts.time(delay) + kept.get();
              note(progress, failure.getMessage() + again + hint);
            });
  }

  /** Whether nothing has listened so far. */
  private boolean isAbsent(FerryException failure, @Nullable ProgressDisplay progress) {
    Outage outage = failure.outage();
    boolean absent =
        outage == Outage.REFUSED || outage == Outage.NO_ROUTE || outage == Outage.NO_CONNECTION;
    reached |= !absent || (progress != null && progress.done() > 0);
    return !reached;
  }

  private void note(@Nullable ProgressDisplay progress, String text) {
    if (output != null && output.quiet()) {
      return;
    }
    String line = PlainText.of(spec.qualifiedName() + ": " + text);
    if (progress == null) {
      spec.commandLine().getErr().println(line);
    } else {
      progress.note(line);
    }
  }

  /** Makes one more client of the server, which connects lazily. The caller closes it. */
  public Carrier connect() throws FerryException {
    return carrier().connect(servers(), tls(), token(), rateLimit);
  }

  private synchronized @Nullable Token token() throws FerryException {
    if (token == null) {
      // Once: a warning of the file is printed.
      token =
          TokenSource.of(
              tokenFile,
              tokenOption,
              server != null && !foreign,
              System.getenv(),
              spec.commandLine().getErr());
    }
    Token given = token;
    Servers.Address forbidden =
        given == null
            ? null
            : addresses().stream()
                .filter(address -> !given.maySendTo(address.host(), tls))
                .findFirst()
                .orElse(null);
    if (given == null || forbidden == null) {
      return given;
    }
    if (plainToken) {
      return given.inPlainText();
    }
    throw new ParameterException(
        spec.commandLine(),
        (tokenFile == null ? TokenSource.VARIABLE : tokenOption)
            + ": the token is not sent to "
            + forbidden.host()
            + " in plain text; add --tls, or --insecure-no-tls if nobody is on the way");
  }

  private @Nullable ClientTls tls() throws FerryException {
    if (!tls) {
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
   * Closes the connections, so that running calls fail, and begins no more attempts. Any thread may
   * call this.
   */
  public void stop() {
    stopped = true;
    connections.stop();
  }

  public CarrierChoice carrier() {
    if (isUrl()) {
      return CarrierChoice.HTTP;
    }
    CarrierChoice choice = choice();
    if (choice != null) {
      return choice;
    }
    return namesGrpcPort() ? CarrierChoice.GRPC : found;
  }

  /** Returns what the user has chosen; null for nothing. */
  private @Nullable CarrierChoice choice() {
    return chosen == null ? formerlyNamed : chosen;
  }

  private List<Servers.Address> addresses() {
    return servers().addresses();
  }

  /** The same for all connections, which so learn of each other which server has failed. */
  private synchronized Servers servers() {
    if (servers == null) {
      servers = parsed();
    }
    return servers;
  }

  private Servers parsed() {
    try {
      return Servers.of(addresses(carrier()), basePath());
    } catch (IllegalArgumentException e) {
      throw wrongUse("--server: " + e.getMessage(), e);
    }
  }

  /** Whether the port is named on which servers speak gRPC unless they are told otherwise. */
  private boolean namesGrpcPort() {
    try {
      return FileAddress.namesGrpcPorts(named());
    } catch (IllegalArgumentException e) {
      // Whoever connects says so.
      return false;
    }
  }

  private List<ServerAddress> named() {
    return given == null
        ? ServerAddress.parseList(server == null ? LOOPBACK : server)
        : given.named();
  }

  private List<Servers.Address> addresses(CarrierChoice by) {
    return given == null
        ? FileAddress.addresses(named(), by.protocol().defaultPort())
        : given.servers(by.protocol());
  }

  /** Follows the options for what the command prints. */
  public void reportTo(OutputFlags flags) {
    output = flags;
  }

  /** Has the connections fit to the transfers of the command. */
  public void fitTo(TransferFlags flags) {
    rateLimit = flags.rateLimit();
    if (flags.needsGrpc()) {
      found = CarrierChoice.GRPC;
      servers = null;
    }
  }

  /**
   * Has downloads keep nothing for a later command, and not go on with what an earlier one kept.
   */
  void discardArrived() {
    discards = true;
  }

  /** Whether downloads keep nothing for a later command. */
  boolean discardsArrived() {
    return discards;
  }

  /** Says of failures that what arrived was passed on. By default nothing of it is kept. */
  void passesOn() {
    streams = true;
  }

  /** Whether an argument is meant as an address, so that it names the server as well. */
  public static boolean isAddress(String argument) {
    return FileAddress.isAddress(argument);
  }

  /**
   * Returns the address that a path of an option or argument is meant as; null if it is a path.
   *
   * @param path may lack a slash of an address
   */
  public static @Nullable String address(Path path) {
    String text = path.toString().replaceFirst(ADDRESS_AS_PATH, "$1://");
    return FileAddress.isAddress(text) ? text : null;
  }

  /**
   * Returns the options for another address of the command, with the same retries and trusted
   * certificates. Only the same servers, which may have a port for each protocol, get the token or
   * a certificate of the client: another port of a host may be another user's server.
   *
   * @param otherToken a file with the token for that address; null if it has none of its own
   */
  ServerOptions elsewhere(String address, @Nullable Path otherToken) {
    ServerOptions other = new ServerOptions();
    other.spec = spec;
    try {
      other.given = FileAddress.parse(address);
      Servers unused = Servers.of(other.given.servers(Protocol.HTTP));
    } catch (IllegalArgumentException e) {
      throw wrongUse(String.valueOf(e.getMessage()), e);
    }
    other.server = address;
    other.chosen = choice();
    FileAddress.Scheme scheme = other.given.scheme();
    boolean wanted = given == null ? tls : tlsOfAll;
    if (wanted && scheme == FileAddress.Scheme.HTTP) {
      throw wrongUse("--tls: write https:// in " + address);
    }
    other.tls = scheme.tls() || wanted;
    other.plainToken = plainToken;
    other.retries = retries;
    other.retryFor = retryFor;
    other.output = output;
    if (other.tls) {
      other.ca = ca;
      other.pins = pins;
    }
    if (basePath().equals(other.basePath())
        && other.addresses().stream().allMatch(this::isOneOfThese)) {
      other.tokenFile = tokenFile;
      other.certificate = other.tls ? certificate : null;
      other.key = other.tls ? key : null;
    } else {
      other.foreign = true;
    }
    if (otherToken != null) {
      other.tokenFile = otherToken;
      other.tokenOption = SecondServer.TOKEN_FILE;
    }
    return other;
  }

  /** Whether other options are for one of these servers, as far as their addresses show it. */
  boolean isSameServer(ServerOptions other) {
    return basePath().equals(other.basePath())
        && other.addresses().stream().anyMatch(this::isOneOfThese);
  }

  private boolean isOneOfThese(Servers.Address other) {
    return addresses().stream()
        .anyMatch(
            address ->
                address.host().equalsIgnoreCase(other.host())
                    && (address.port() == other.port()
                        || (isDefault(address.port()) && isDefault(other.port()))));
  }

  private static boolean isDefault(int port) {
    return port == Protocol.GRPC.defaultPort() || port == Protocol.HTTP.defaultPort();
  }

  /**
   * Returns the path of an argument, which may be an address of the server as well. All addresses
   * of a command are on one server. The path of the root is empty, and an empty argument refused.
   */
  String path(String argument) {
    if (argument.isEmpty()) {
      throw wrongUse(PathConverter.EMPTY + "; write '/' for the folder that is served");
    }
    if (!FileAddress.isAddress(argument)) {
      plainPath = given == null;
      // The root of a store is the folder that is served, as in the rules of users.
      return argument.replaceFirst("^/+", "");
    }
    FileAddress address;
    try {
      address = FileAddress.parse(argument);
    } catch (IllegalArgumentException e) {
      throw wrongUse(String.valueOf(e.getMessage()), e);
    }
    if (plainPath) {
      throw wrongUse(
          argument + ": names a server, and the path before does not; write both in the same way");
    }
    if (given == null) {
      use(address, argument);
    } else if (!given.hasServerOf(address)) {
      throw wrongUse(argument + ": is on another server than the argument before");
    }
    return address.path();
  }

  /** Returns the path of an argument as a pattern, in which a backslash makes a character plain. */
  String pattern(String argument) {
    String path = path(argument);
    String pattern = isAddress(argument) ? FileAddress.parse(argument).pattern() : path;
    return pattern.endsWith("/") ? pattern.substring(0, pattern.length() - 1) : pattern;
  }

  private void use(FileAddress address, String argument) {
    given = address;
    ParseResult options = spec.commandLine().getParseResult();
    if (options.hasMatchedOption("--server")) {
      throw wrongUse("--server: " + argument + " names the server; leave out one of them");
    }
    boolean chosenHere = options.hasMatchedOption(CLIENT) || options.hasMatchedOption("--carrier");
    if (address.scheme().isHttp() && chosenHere && choice() == CarrierChoice.GRPC) {
      throw wrongUse(CLIENT + ": grpc is not for " + address.scheme() + "://");
    }
    if (address.scheme() == FileAddress.Scheme.HTTP && tls) {
      throw wrongUse("--tls: write https:// in the address");
    }
    try {
      servers = Servers.of(address.servers(carrier().protocol()), address.base());
    } catch (IllegalArgumentException e) {
      throw wrongUse(argument + ": " + e.getMessage(), e);
    }
    server = argument;
    tlsOfAll = tls;
    tls |= address.scheme().tls();
  }

  /** Parses the path of a file, or its address, before any request is sent. */
  StorePath filePath(String text) {
    String path = path(text);
    if (path.isEmpty()) {
      throw wrongUse(text + ": is the root folder; name a file in it");
    }
    if (path.endsWith("/")) {
      throw wrongUse(text + ": is a folder, as its '/' says; name a file in it");
    }
    try {
      return StorePath.parse(path);
    } catch (FerryException e) {
      throw wrongUse(String.valueOf(e.getMessage()), e);
    }
  }

  /** Parses the path of a file or of a directory that is not the root, or its address. */
  StorePath nonRootPath(String text) {
    StorePath path = directoryPath(text);
    if (path.equals(StorePath.ROOT)) {
      throw wrongUse(text + ": is the root folder; name what is in it");
    }
    return path;
  }

  /** Parses the path of a local file or folder. An empty one, as of an unset variable, is none. */
  public Path localPath(String text) {
    try {
      return new PathConverter().convert(text);
    } catch (TypeConversionException e) {
      throw wrongUse(String.valueOf(e.getMessage()), e);
    }
  }

  /** Parses the path of a directory, or its address, with or without a trailing {@code /}. */
  public StorePath directoryPath(String text) {
    return storePath(path(text));
  }

  /** Parses a path without a server in the same way. */
  public StorePath storePath(String path) {
    try {
      return StorePath.parseDirectory(
          path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
    } catch (FerryException e) {
      throw wrongUse(String.valueOf(e.getMessage()), e);
    }
  }

  public ParameterException wrongUse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  ParameterException wrongUse(String message, Exception cause) {
    return new ParameterException(spec.commandLine(), message, cause);
  }
}
