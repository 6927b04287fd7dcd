package dev.ferry.web.internal;

import dev.ferry.core.FerryException;
import io.grpc.Status;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Classifies the loss of a connection. */
final class ConnectionLoss {
  private ConnectionLoss() {}

  /** The connection could not be established. */
  private static final class Unreached extends IOException {
    Unreached(Throwable cause) {
      super(cause.getMessage(), cause);
    }
  }

  /** The server was closing the connection when the call began. */
  private static final class Closing extends IOException {
    private final boolean unseen;

    Closing(Throwable cause, boolean unseen) {
      super(cause.getMessage(), cause);
      this.unseen = unseen;
    }
  }

  /** Creates the failure for a server that cannot be reached. */
  static IOException unreached(Throwable cause) {
    return new Unreached(cause);
  }

  /**
   * Creates the failure for a server that closed the connection and stated that it did not process
   * the call.
   */
  static IOException unseen(IOException cause) {
    return new Closing(cause, true);
  }

  /** Creates the failure for a reused connection that was closed without a response. */
  static IOException withoutResponse(IOException cause) {
    return new Closing(cause, false);
  }

  /**
   * Returns the status of a call that ended with this failure; null if the failure is not a
   * connection loss.
   */
  static @Nullable Status status(String server, Throwable cause) {
    if (cause instanceof Unreached) {
      String why =
          "cannot connect to "
              + server
              + " ("
              + cause.getMessage()
              + "); is the server running there?";
      return Status.UNAVAILABLE.withDescription(why).withCause(cause);
    }
    return cause instanceof IOException && !(cause instanceof FerryException)
        ? Status.UNAVAILABLE.withDescription("connection to " + server + " lost").withCause(cause)
        : null;
  }

  /**
   * Returns whether a call may be retried because the server was closing its connection when the
   * call began.
   *
   * @param safe whether the call changes nothing, so that a retry is harmless even if the server
   *     processed the call
   */
  static boolean mayRepeat(FerryException failure, boolean safe) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof Closing closing) {
        return safe || closing.unseen;
      }
    }
    return false;
  }
}
