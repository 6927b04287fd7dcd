package dev.ferry.core.internal;

import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Change;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Outage;
import dev.ferry.core.Retries;
import java.util.Optional;

/**
 * Recognizes, over the attempts of a request, that an earlier one was carried out and only its
 * response was lost: a later one then fails because its work is done. One thread at a time.
 */
public final class LostResponse {
  private boolean possible;

  /**
   * Sends the request.
   *
   * @param repeated the kind of the failure if an earlier attempt was carried out
   * @param done asks after such a failure for the result of the earlier attempt, if it has one
   */
  public <T> T send(Retries.Call<T> request, ErrorKind repeated, Retries.Call<Optional<T>> done)
      throws FerryException {
    try {
      return request.run();
    } catch (FerryException e) {
      Optional<T> result = possible && e.kind() == repeated ? done.run() : Optional.empty();
      if (result.isPresent()) {
        return result.get();
      }
      possible |= mayHaveBegun(e);
      throw e;
    }
  }

  /**
   * Requests a change of names.
   *
   * @param repeated the kind of the failure if the change is there already
   * @param there says after such a failure whether the change is there
   */
  public void change(
      Carrier carrier, Change change, ErrorKind repeated, Retries.Call<Boolean> there)
      throws FerryException {
    boolean unused =
        send(
            () -> {
              carrier.change(change, CallLimits.DEFAULT);
              return true;
            },
            repeated,
            () -> there.run() ? Optional.of(true) : Optional.empty());
  }

  /** Returns whether an earlier attempt may have begun. */
  public boolean isPossible() {
    return possible;
  }

  /** Records that an earlier attempt may have begun. */
  public void setPossible() {
    possible = true;
  }

  /** Forgets the attempts before: the next one is of another request. */
  public void forget() {
    possible = false;
  }

  /** Returns whether a server may have begun a request that ended with a failure. */
  public static boolean mayHaveBegun(FerryException failure) {
    Outage outage = failure.outage();
    return outage == null
        // A server that is shutting down, or a store that fails, may have begun.
        ? failure.kind() == ErrorKind.UNAVAILABLE
        : switch (outage) {
          case REFUSED, NO_SUCH_HOST, NO_ROUTE, NO_CONNECTION, NO_TLS, UNTRUSTED -> false;
          // A proxy may have forwarded the request before it says that the server is unavailable.
          case LOST, STALLED, OVERDUE, FOREIGN -> true;
        };
  }
}
