package dev.ferry.web;

import com.linecorp.armeria.client.GoAwayReceivedException;
import com.linecorp.armeria.client.UnprocessedRequestException;
import com.linecorp.armeria.common.ClosedSessionException;
import com.linecorp.armeria.common.stream.ClosedStreamException;
import dev.ferry.core.FerryException;
import io.grpc.Status;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What the loss of a connection is called. */
final class ConnectionLoss {
  private ConnectionLoss() {}

  /** The status of a call that ended so; null where something else was wrong. */
  static @Nullable Status status(String server, Throwable cause) {
    if (cause instanceof UnprocessedRequestException) {
      Throwable reason = cause.getCause() == null ? cause : cause.getCause();
      String why =
          "cannot connect to "
              + server
              + " ("
              + reason.getMessage()
              + "); is the server running there?";
      return Status.UNAVAILABLE.withDescription(why).withCause(cause);
    }
    boolean lost =
        cause instanceof ClosedSessionException
            || cause instanceof ClosedStreamException
            // What the system says of a socket, such as a broken pipe.
            || (cause instanceof IOException && !(cause instanceof FerryException));
    return lost
        ? Status.UNAVAILABLE.withDescription("connection to " + server + " lost").withCause(cause)
        : null;
  }

  /** Whether a call failed because the server closed its connection before the call began on it. */
  static boolean beforeCall(FerryException failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof UnprocessedRequestException) {
        return t.getCause() instanceof ClosedSessionException
            || t.getCause() instanceof GoAwayReceivedException;
      }
    }
    return false;
  }
}
