package dev.ferry.core;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How a call failed whose server is not to blame for what it answered, but for not answering. */
public enum Outage {
  /** Nobody listens at the address. */
  REFUSED,
  /** There is no host of that name. */
  NO_SUCH_HOST,
  /** No network leads to the address. */
  NO_ROUTE,
  /** The address did not take a connection within {@link Carrier#CONNECT_TIMEOUT}. */
  NO_CONNECTION,
  /** The connection ended before the call did. */
  LOST,
  /** The connection is there, but nothing moved for longer than was allowed. */
  STALLED,
  /** The call took longer than its caller allowed. */
  OVERDUE,
  /** Whatever answers is not Ferry, or speaks another protocol. */
  FOREIGN;

  /**
   * Why no connection was made.
   *
   * @param failure of a client, with its causes
   * @return null where one was made, or where nobody can tell
   */
  public static @Nullable Outage ofConnecting(Throwable failure) {
    @Nullable Outage found = null;
    for (Throwable t = failure; t != null; t = t.getCause()) {
      Outage one = ofOne(t);
      if (one == NO_SUCH_HOST) {
        return one;
      }
      // The inner one knows better: java.net.http wraps all of them in a ConnectException.
      found = one == null ? found : one;
    }
    return found;
  }

  private static @Nullable Outage ofOne(Throwable t) {
    if (t instanceof UnknownHostException || t instanceof UnresolvedAddressException) {
      return NO_SUCH_HOST;
    }
    if (t instanceof NoRouteToHostException) {
      return NO_ROUTE;
    }
    String text = String.valueOf(t.getMessage()).toLowerCase(Locale.ROOT);
    if (t instanceof ConnectException) {
      return ofText(text);
    }
    // Clients have types of their own for it, and the JDK's sockets none.
    boolean connecting =
        text.startsWith("connect time")
            || text.contains("connect timed out")
            || text.contains("connection timed out");
    return connecting ? NO_CONNECTION : null;
  }

  private static @Nullable Outage ofText(String text) {
    if (text.contains("timed out") || text.contains("timeout")) {
      return NO_CONNECTION;
    }
    if (text.contains("unreachable") || text.contains("no route")) {
      return NO_ROUTE;
    }
    // A peer that takes a connection and resets it at once.
    return text.contains("reset") ? LOST : REFUSED;
  }
}
