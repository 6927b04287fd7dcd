package dev.ferry.web.internal;

import dev.ferry.core.FerryException;
import io.grpc.Status;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What the loss of a connection is called. */
final class ConnectionLoss {
  private ConnectionLoss() {}

  /** There was no connection. */
  private static final class Unreached extends IOException {
    private static final long serialVersionUID = 1;

    Unreached(Throwable cause) {
      super(cause.getMessage(), cause);
    }
  }

  /** There was one, and the server was closing it as the call began. */
  private static final class Closing extends IOException {
    private static final long serialVersionUID = 1;
    private final boolean unseen;

    Closing(Throwable cause, boolean unseen) {
      super(cause.getMessage(), cause);
      this.unseen = unseen;
    }
  }

  /** The server cannot be reached. */
  static IOException unreached(Throwable cause) {
    return new Unreached(cause);
  }

  /** The server has closed the connection, and says that it has not begun with the call. */
  static IOException unseen(IOException cause) {
    return new Closing(cause, true);
  }

  /** A connection that others had used before was closed without an answer. */
  static IOException unanswered(IOException cause) {
    return new Closing(cause, false);
  }

  /** The status of a call that ended so; null if something else was wrong. */
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
   * Whether a call may be made once more, because the server was closing its connection as the call
   * began.
   *
   * @param safe whether the call changes nothing, so that it does no harm if it was seen
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
