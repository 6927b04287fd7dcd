package dev.ferry.cli.client;

import dev.ferry.cli.client.FailureAdvice.Arrived;
import dev.ferry.cli.client.ProbeResult.Kind;
import dev.ferry.cli.output.OutputFlags;
import dev.ferry.cli.program.TerminalLine;
import dev.ferry.cli.progress.ProgressDisplay;
import dev.ferry.cli.tree.CarrierPool;
import dev.ferry.cli.tree.CarrierPool.Action;
import dev.ferry.cli.tree.RemoteTree;
import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Carriers;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.Outage;
import dev.ferry.core.RateLimit;
import dev.ferry.core.Retries;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.Amounts;
import dev.ferry.core.internal.PlainText;
import dev.ferry.core.internal.RepeatedCall;
import dev.ferry.library.Protocol;
import dev.ferry.library.internal.FileAddress;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.Servers;
import dev.ferry.wire.Token;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a command to its server, over connections of the command. They are repeated as the
 * options say, by gRPC if the server turns out to speak nothing else, and a failure says what the
 * user can do about it. Thread-safe.
 */
public final class ServerCalls {
  /** How long a command on a terminal tries to reach a server that has not responded so far. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final ServerArguments arguments;
  private final ServerOptions options;
  private final OutputFlags output;
  private final CarrierPool connections = new CarrierPool(this::connect);
  private final AtomicReference<@Nullable CarrierChoice> announced = new AtomicReference<>();
  private @Nullable RateLimit rateLimit;

  /** The client if none was chosen. */
  private volatile CarrierChoice found = CarrierChoice.HTTP;

  /** The same for all connections, which so learn of each other which server has failed. */
  private @Nullable Servers servers;

  /** Whether the server has done something, or responded otherwise than by no connection. */
  private volatile boolean reached;

  private volatile boolean stopped;

  /** A transfer that repeats itself. */
  @FunctionalInterface
  interface Repeated<T> {
    T run(Carriers carriers, Retries retries) throws FerryException;
  }

  ServerCalls(ServerArguments arguments, OutputFlags output) {
    this.arguments = arguments;
    this.options = arguments.options();
    this.output = output;
  }

  /** What names the server, and paths there. */
  public ServerArguments arguments() {
    return arguments;
  }

  /** Has the connections fit to the transfers of the command. */
  public void fitTo(TransferFlags flags) {
    rateLimit = flags.rateLimit();
    if (flags.needsGrpc()) {
      turnToGrpc();
    }
  }

  /**
   * Makes a call, and repeats it as the options say. Adds to a failure what the user can do about
   * it.
   */
  <T> T call(Action<T> action) throws FerryException {
    return call(null, null, action);
  }

  /**
   * Makes a call that transfers something, each time from its beginning.
   *
   * @param progress the display of the transfer; null if there is none
   * @param timeout time in which attempts begin; null means no limit
   */
  <T> T call(@Nullable ProgressDisplay progress, @Nullable Duration timeout, Action<T> action)
      throws FerryException {
    return transfer(
        progress,
        "",
        () -> Arrived.DISCARDED,
        (carriers, retries) ->
            RepeatedCall.begin(carriers, retries, timeout)
                .run((carrier, left) -> action.run(carrier), () -> 0));
  }

  /** Makes a call without a result in the same way. */
  void run(CarrierPool.Step step) throws FerryException {
    boolean unused =
        call(
            carrier -> {
              step.run(carrier);
              return true;
            });
  }

  /**
   * Makes a transfer, which repeats itself with the retries that it gets. Adds to a failure what
   * the user can do about it.
   *
   * @param progress the display of the transfer; null if there is none
   * @param moved what the announcement of a retry calls the part of the file that need not be
   *     transferred again; empty to say nothing of it
   * @param arrived says after a failure what became of the bytes before it
   */
  <T> T transfer(
      @Nullable ProgressDisplay progress,
      String moved,
      Supplier<Arrived> arrived,
      Repeated<T> transfer)
      throws FerryException {
    Retries retries = options.retries().withListener(announcing(progress, moved));
    // Wrong options need no advice about the server.
    ClientTls secured = tls();
    Token known = token();
    String how =
        (secured == null ? ", in plain text, " : ", over TLS, ")
            + (known == null ? "without a token" : "with a token");
    announce(how);
    CarrierChoice used = carrier();
    try {
      T result;
      try {
        result = transfer.run(connections, retries);
      } catch (FerryException e) {
        if (carrier() == used && !turnsToGrpc(e)) {
          throw e;
        }
        announce(how);
        result = transfer.run(connections, retries);
      }
      reached = true;
      return result;
    } catch (FerryException e) {
      throw advice(arrived.get()).explained(e);
    }
  }

  /** Runs an action once. Whoever calls it repeats it after a failure, and explains that. */
  <T> T once(Action<T> action) throws FerryException {
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

  /**
   * Lists a folder, in the same way as other calls.
   *
   * @param attempts returns what receives the entries of an attempt; called once for each
   */
  void list(StorePath folder, Supplier<Predicate<FileFacts>> attempts) throws FerryException {
    run(carrier -> carrier.list(folder, false, attempts.get(), CallLimits.DEFAULT));
  }

  /** Returns a tree of the server, which is listed in the same way. Its user closes it. */
  RemoteTree tree(StorePath root) {
    return new RemoteTree(
        this::list,
        (folder, attempts) ->
            call(carrier -> carrier.list(folder, true, attempts.get(), CallLimits.DEFAULT)),
        root);
  }

  /**
   * Returns what the server has under a name; null if there is nothing, or the user may not know.
   */
  @Nullable FileFacts facts(StorePath path) throws FerryException {
    return call(carrier -> Optional.ofNullable(RemoteNames.facts(carrier, path))).orElse(null);
  }

  /** Keeps connections for later calls, until the returned object is closed. */
  CarrierPool.Kept keepConnections() {
    return connections.keep();
  }

  /**
   * Closes the connections, so that running calls fail, and begins no more attempts. Any thread may
   * call this.
   */
  void stop() {
    stopped = true;
    connections.stop();
  }

  /** Returns the client that makes the calls. */
  CarrierChoice carrier() {
    CarrierChoice client = arguments.client();
    return client == null ? found : client;
  }

  private Carrier connect() throws FerryException {
    return carrier().connect(servers(), tls(), token(), rateLimit);
  }

  private synchronized Servers servers() {
    if (servers == null) {
      servers = arguments.servers(carrier().protocol());
    }
    return servers;
  }

  private @Nullable ClientTls tls() throws FerryException {
    return options.clientTls(arguments.isTls());
  }

  private @Nullable Token token() throws FerryException {
    return options.token(arguments.namesServer(), servers().addresses(), arguments.isTls());
  }

  /** Names the server in what is remembered, whatever the order of several servers is. */
  String key() {
    List<Servers.Address> all = servers().addresses();
    return (all.size() == 1 ? all.get(0).toString() : String.join(",", FileAddress.sorted(all)))
        + servers().basePath();
  }

  /**
   * What is added to the words that a name is missing: of names that its rules hide from the user,
   * a server says the same. Empty if it knows no user.
   */
  String orHidden() {
    return options.namesUser() ? ", or the user may not see it" : "";
  }

  private void announce(String how) {
    CarrierChoice carrier = carrier();
    if (output.verbose() && announced.getAndSet(carrier) != carrier) {
      Servers all = servers();
      List<String> names = all.addresses().stream().map(each -> each + all.basePath()).toList();
      output.detail(carrier + " to " + String.join(",", names) + how);
    }
  }

  /**
   * Changes the client to gRPC if none was chosen, and the server speaks nothing else where it was
   * called, or where it was not named.
   */
  private synchronized boolean turnsToGrpc(FerryException failure) {
    if (reached || found == CarrierChoice.GRPC || arguments.client() != null) {
      return false;
    }
    Outage outage = failure.outage();
    if (outage == null && failure.getCause() instanceof FerryException cause) {
      outage = cause.outage();
    }
    if ((outage == Outage.FOREIGN || outage == Outage.LOST || outage == Outage.REFUSED)
        && arguments.servers(Protocol.GRPC).addresses().stream().anyMatch(this::isOnlyHttp2)) {
      turnToGrpc();
      return true;
    }
    return false;
  }

  private boolean isOnlyHttp2(Servers.Address server) {
    return ProbeResult.at(server.host(), server.port(), arguments.isTls()).kind()
        == Kind.HTTP2_ONLY;
  }

  private synchronized void turnToGrpc() {
    found = CarrierChoice.GRPC;
    servers = null;
  }

  private FailureAdvice advice(Arrived arrived) {
    return new FailureAdvice(arguments, carrier(), servers().addresses(), arrived);
  }

  /** Returns what announces each retry on standard error, and ends calls that make no sense. */
  private Retries.Listener announcing(@Nullable ProgressDisplay progress, String moved) {
    // Whoever waits for a server asks for it; who has mistyped its name wants to read that.
    boolean asked = options.asksForRetries();
    boolean impatient = !asked && TerminalLine.isTerminal();
    AtomicLong since = new AtomicLong();
    return (failure, delay) -> {
      if (stopped || turnsToGrpc(failure)) {
        throw failure;
      }
      boolean begun = progress != null && progress.done() > 0;
      if (!begun) {
        advice(Arrived.DISCARDED).requireFerry(failure, asked || reached);
      }
      reached |= begun || !isAbsent(failure.outage());
      String hint = "";
      if (!reached) {
        long now = System.nanoTime();
        long first = since.updateAndGet(time -> time == 0 ? now : time);
        if (impatient && now - first + delay.toNanos() > PATIENCE.toNanos()) {
          throw failure;
        }
        hint = "; " + FailureAdvice.HINT;
      }
      String percent = progress == null || moved.isEmpty() ? "" : progress.percent();
      String kept = percent.isEmpty() ? "" : ", " + percent + " " + moved;
      String again =
          failure.hasOtherServers() && delay.isZero()
              ? "; trying another server" + kept
              : delay.isZero() ? "; starting again" : "; retrying in " + Amounts.time(delay) + kept;
      note(progress, failure.getMessage() + again + hint);
    };
  }

  /** Whether nothing listens. */
  private static boolean isAbsent(@Nullable Outage outage) {
    return outage == Outage.REFUSED || outage == Outage.NO_ROUTE || outage == Outage.NO_CONNECTION;
  }

  private void note(@Nullable ProgressDisplay progress, String text) {
    if (output.quiet()) {
      return;
    }
    if (progress == null) {
      output.note(text);
    } else {
      progress.note(PlainText.of(options.command().qualifiedName() + ": " + text));
    }
  }
}
