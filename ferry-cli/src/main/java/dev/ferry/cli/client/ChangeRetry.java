package dev.ferry.cli.client;

import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Change;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Outage;
import dev.ferry.core.Retries;

/**
 * A change of one name on the server that may be requested again. If the response to it was lost,
 * or the server was unavailable after it had begun, the next attempt may fail because the change is
 * there already.
 */
final class ChangeRetry {
  private boolean unanswered;

  /**
   * Requests the change.
   *
   * @param repeated the kind of the failure if the change is there already
   * @param there says after such a failure whether the change is there
   */
  void send(Carrier carrier, Change change, ErrorKind repeated, Retries.Call<Boolean> there)
      throws FerryException {
    try {
      carrier.change(change, CallLimits.DEFAULT);
    } catch (FerryException e) {
      if (unanswered && e.kind() == repeated && there.run()) {
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
