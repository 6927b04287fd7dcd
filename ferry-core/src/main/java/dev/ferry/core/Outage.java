package dev.ferry.core;

import dev.ferry.core.internal.SystemError;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** How a call failed because of its connection. */
public enum Outage {
  /** No process listens at the address. */
  REFUSED,
  /** The host name cannot be resolved. */
  NO_SUCH_HOST,
  /** There is no route to the address. */
  NO_ROUTE,
  /** No connection was established within {@link Carrier#CONNECT_TIMEOUT}. */
  NO_CONNECTION,
  /** The server does not speak TLS, or refused the handshake. */
  NO_TLS,
  /** The server's certificate is not trusted, is not valid today, or is for another host name. */
  UNTRUSTED,
  /** The connection was lost during the call. */
  LOST,
  /** The connection is open, but no bytes moved for longer than the stall timeout. */
  STALLED,
  /** The call exceeded its timeout. */
  OVERDUE,
  /** The peer is not a Ferry server, or speaks another protocol. */
  FOREIGN;

  /** What Netty and the JDK say of bytes that are not TLS, and of an alert in the handshake. */
  private static final Pattern REFUSED_TLS =
      Pattern.compile("not an ssl/tls record|unrecognized ssl message|fatal alert");

  /** What Netty says of an error of Linux, whatever the locale is. */
  private static final Pattern ERRNO = Pattern.compile("failed with error\\(-(\\d+)\\)");

  /**
   * Returns why no connection was established.
   *
   * @param failure a client's exception, with its causes
   * @return null if the failure is not one of connecting, or if this is unknown
   */
  public static @Nullable Outage ofConnecting(Throwable failure) {
    @Nullable Outage found = null;
    for (Throwable t = failure; t != null; t = t.getCause()) {
      Outage one = ofOne(t);
      if (one == NO_SUCH_HOST) {
        return one;
      }
      // Inner causes are more specific: some clients wrap all in a ConnectException.
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
    if (t instanceof CertificateException) {
      return UNTRUSTED;
    }
    String text = String.valueOf(t.getMessage()).toLowerCase(Locale.ROOT);
    if (t instanceof SSLException) {
      return REFUSED_TLS.matcher(text).find() ? NO_TLS : null;
    }
    if (t instanceof ConnectException) {
      return ofText(text, t);
    }
    // Clients use exception types of their own for connect timeouts, so compare the message. Netty
    // says after how many milliseconds; without that, it is the system's error ETIMEDOUT of an
    // established connection.
    boolean connecting =
        text.startsWith("connect time")
            || text.contains("connect timed out")
            || text.contains("connection timed out after");
    return connecting ? NO_CONNECTION : null;
  }

  private static Outage ofText(String text, Throwable t) {
    Matcher errno = ERRNO.matcher(text);
    if (errno.find()) {
      return switch (errno.group(1)) {
        // ENETDOWN, ENETUNREACH, EHOSTUNREACH
        case "100", "101", "113" -> NO_ROUTE;
        // ECONNRESET: the peer accepts a connection and resets it at once.
        case "104" -> LOST;
        // ETIMEDOUT
        case "110" -> NO_CONNECTION;
        default -> REFUSED;
      };
    }
    if (text.contains("timed out") || text.contains("timeout")) {
      return NO_CONNECTION;
    }
    if (text.contains("unreachable") || text.contains("no route")) {
      return NO_ROUTE;
    }
    if (text.contains("reset")) {
      return LOST;
    }
    // In another language, only a refusal is known. What else the JDK has no class for is a network
    // that is not reachable.
    boolean otherWords =
        t.getMessage() != null && SystemError.of(t) == null && SystemError.hasOtherTexts();
    return otherWords ? NO_ROUTE : REFUSED;
  }
}
