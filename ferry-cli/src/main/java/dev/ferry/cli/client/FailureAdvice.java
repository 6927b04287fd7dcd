package dev.ferry.cli.client;

import dev.ferry.cli.client.ProbeResult.Kind;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Outage;
import dev.ferry.core.internal.SystemError;
import dev.ferry.wire.Servers;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what the user of a command can do about a failure.
 *
 * @param arguments those of the command that failed
 * @param carrier the carrier it used
 * @param servers the server, or several
 * @param arrived what became of the bytes that had arrived
 */
record FailureAdvice(
    ServerArguments arguments,
    CarrierChoice carrier,
    List<Servers.Address> servers,
    Arrived arrived) {
  /** What may be the matter if nothing listens. */
  static final String HINT = "is 'ferry serve' running there?";

  /** What became of the bytes of a file that had arrived before a failure. */
  enum Arrived {
    /** They are gone, or there were none. */
    DISCARDED,
    /** They were passed on, as to standard output. */
    PASSED_ON,
    /** The same command goes on with them. */
    KEPT
  }

  /** Returns the failure with the remedy in its message. */
  FerryException explained(FerryException failure) {
    String problem = problem(failure, kind -> true);
    if (problem != null) {
      return unavailable(problem + kept(), failure);
    }
    Outage outage = failure.outage();
    String remedy = null;
    if (outage != null) {
      remedy = remedy(outage, failure.kind());
    } else if (!isSaidHere(failure) && !namesOption(failure)) {
      remedy = remedy(failure.kind());
    }
    return new FerryException(
        failure.kind(),
        outage,
        failure.getMessage() + (remedy == null ? "" : "; " + remedy) + kept(),
        failure);
  }

  /**
   * Whether the failure is one of this machine and not of the server: a local file, or too many
   * open files, where the message has the remedy.
   */
  private static boolean isSaidHere(FerryException failure) {
    IOException here = SystemError.behind(failure);
    return here != null
        && (failure.kind() == ErrorKind.INTERNAL || SystemError.TOO_MANY_FILES.isCauseOf(here));
  }

  /** Whether the message already has an option as its remedy. */
  private static boolean namesOption(FerryException failure) {
    return failure.kind() == ErrorKind.INVALID_REQUEST
        && String.valueOf(failure.getMessage()).contains(" --");
  }

  /** What another server means by its response does not count. */
  private static FerryException unavailable(String problem, FerryException failure) {
    return new FerryException(ErrorKind.UNAVAILABLE, problem, failure);
  }

  /**
   * Checks that another attempt makes sense. It does at a proxy that has no server ready.
   *
   * @param waits whether it also does if the port says nothing: so does one whose server starts
   *     again, or has all the connections that it takes
   * @throws FerryException with the whole line if no Ferry server of this carrier listens there
   */
  void requireFerry(FerryException failure, boolean waits) throws FerryException {
    String problem =
        failure.retryAfter() == null
            ? problem(
                failure,
                kind ->
                    switch (kind) {
                      case PROXY_WITHOUT_SERVER -> false;
                      case CLOSES, SILENCE -> !waits;
                      default -> true;
                    })
            : null;
    if (problem != null) {
      throw unavailable(problem, failure);
    }
  }

  private @Nullable String problem(FerryException failure, Predicate<Kind> counts) {
    // One of several servers may just have gone away, and the others go on.
    boolean unclear =
        failure.outage() == Outage.FOREIGN
            || (failure.outage() == Outage.LOST && servers.size() == 1);
    return unclear
        ? servers.stream()
            .map(server -> problem(server, counts))
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null)
        : null;
  }

  private @Nullable String problem(Servers.Address server, Predicate<Kind> counts) {
    ProbeResult result = ProbeResult.at(server.host(), server.port(), arguments.isTls());
    return counts.test(result.kind()) ? result.problem(carrier, server.toString()) : null;
  }

  private @Nullable String remedy(Outage outage, ErrorKind kind) {
    return switch (outage) {
      case REFUSED -> HINT;
      case NO_SUCH_HOST -> "check --server";
      case NO_ROUTE -> "is the network up? (--server)";
      case NO_CONNECTION -> "is the server or the network down?";
      case STALLED ->
          "is the server or the network down?"
              + (isTransfer() ? " (" + TransferFlags.STALL_TIMEOUT + ")" : "");
      case NO_TLS -> "leave out --tls, or check --server";
      case UNTRUSTED ->
          options().pinsKey()
              ? "check --server; give this pin with --pin only if you know that the key is new"
              : "check --server, and --ca, which names the certificates to trust, or --pin, which trusts"
                  + " one key";
      case LOST -> isTransfer() ? again() : "try again";
      case OVERDUE -> "allow more with --timeout";
      case FOREIGN -> remedy(kind);
    };
  }

  private String kept() {
    return arrived == Arrived.KEPT
        ? "; what has arrived is kept, and the same command resumes it"
        : "";
  }

  private @Nullable String again() {
    return switch (arrived) {
      case DISCARDED -> "nothing was kept, try again";
      case PASSED_ON -> "what was written is incomplete";
      case KEPT -> null;
    };
  }

  private ServerOptions options() {
    return arguments.options();
  }

  private boolean isTransfer() {
    return options().command().optionsMap().containsKey(TransferFlags.STALL_TIMEOUT);
  }

  private @Nullable String remedy(ErrorKind kind) {
    return switch (kind) {
      case NOT_FOUND ->
          "'ferry ls' shows what "
              + (options().namesUser()
                  ? "the user may see, which may not be all"
                  : "the server has");
      case INVALID_PATH, INVALID_REQUEST ->
          "try '" + options().command().qualifiedName() + " --help'";
      case ALREADY_EXISTS -> "choose another name";
      case NOT_EMPTY -> "delete its contents first";
      case TOO_LARGE -> "the receiver accepts no more";
      case DIGEST_MISMATCH, INCOMPLETE, FILE_CHANGED, VERSION_MISMATCH, DEADLINE_EXCEEDED ->
          again();
      case OUT_OF_SPACE -> "free some space there";
      case PERMISSION_DENIED -> "check the permissions there";
      case LOCKED -> "wait until it is unlocked";
      case UNAUTHENTICATED -> options().tokenRemedy(arguments.namesServer());
      case CANCELLED -> arrived == Arrived.DISCARDED ? "nothing was kept" : null;
      // The server still receives what an earlier attempt has sent, and keeps it.
      case OVERLOADED, OFFSET_MISMATCH -> "try again in a moment";
      // The server is shutting down, and its message includes the remedy.
      case UNAVAILABLE -> null;
      case INTERNAL -> "the server's log may say more";
    };
  }
}
