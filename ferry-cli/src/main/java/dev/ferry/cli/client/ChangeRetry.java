package dev.ferry.cli.client;

import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Outage;
import dev.ferry.core.StorePath;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * A change on the server that may be requested again. If the response to it was lost, or the server
 * was unavailable after it had begun, the next attempt may fail because the change is there
 * already.
 */
final class ChangeRetry {
  private boolean unanswered;

  /** A request. */
  @FunctionalInterface
  interface Request {
    void send() throws FerryException;
  }

  /** Whether the change is there. */
  @FunctionalInterface
  interface Check {
    boolean test() throws FerryException;
  }

  /** Changes one name. */
  @FunctionalInterface
  interface Change {
    void make(Carrier carrier, StorePath path, ChangeRetry retry) throws FerryException;
  }

  /** Changes names one after another, and ends at the first failure. */
  static void each(ServerOptions server, List<StorePath> paths, Change change)
      throws FerryException {
    Deque<StorePath> left = new ArrayDeque<>(paths);
    ChangeRetry retry = new ChangeRetry();
    int unused =
        server.call(
            carrier -> {
              while (!left.isEmpty()) {
                change.make(carrier, left.element(), retry);
                left.remove();
                retry.unanswered = false;
              }
              return 0;
            });
  }

  /**
   * Sends the request.
   *
   * @param repeated the kind of the failure if the change is there already
   * @param there asked after such a failure
   */
  void send(Request request, ErrorKind repeated, Check there) throws FerryException {
    try {
      request.send();
    } catch (FerryException e) {
      if (unanswered && e.kind() == repeated && there.test()) {
        return;
      }
      unanswered |= mayHaveBeenExecuted(e);
      throw e;
    }
  }

  private static boolean mayHaveBeenExecuted(FerryException failure) {
    Outage outage = failure.outage();
    if (outage == null) {
      // A server that is shutting down, or a store that fails, may have begun.
      return failure.kind() == ErrorKind.UNAVAILABLE;
    }
    // A proxy may have forwarded the request before it says that the server is unavailable.
    return outage == Outage.LOST || outage == Outage.STALLED || outage == Outage.FOREIGN;
  }
}
