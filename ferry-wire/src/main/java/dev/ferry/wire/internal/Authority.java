package dev.ferry.wire.internal;

import io.netty.util.NetUtil;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Host and port of a URI (RFC 3986, 3.2), as in a {@code Host} field. Names are never resolved,
 * because a browser may have resolved the name to another address before.
 *
 * @param host in lower case, without the trailing dot of a name; an IPv6 address in brackets
 * @param port as written; empty if there is none
 */
public record Authority(String host, String port) {
  private static final Pattern FORM =
      Pattern.compile(
          "(?<host>\\[[0-9A-Fa-f:.]{2,45}]|[A-Za-z0-9._~!$&'()*+,;=%-]{1,255})"
              + "(?::(?<port>[0-9]{0,5}))?");

  /** What browsers look up nowhere (RFC 6761, 6.3). */
  private static final String BELOW_LOOPBACK = ".localhost";

  /** Parses a field value; returns null if it is malformed. */
  public static @Nullable Authority parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    String host = name(matcher.group("host"));
    String port = matcher.group("port");
    return host.isEmpty() ? null : new Authority(host, port == null ? "" : port);
  }

  /** Normalizes a host name for comparison. */
  static String name(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }

  /** Whether the host is an IP address and not a name. */
  boolean isAddress() {
    return NetUtil.createByteArrayFromIpAddressString(host) != null;
  }

  /** Whether the host is a loopback address or a name that always refers to one. */
  boolean isLoopback() {
    return HostName.isThisMachine(host) || host.endsWith(BELOW_LOOPBACK);
  }

  /** Adds the default port of a scheme if there is no port. */
  Authority withPortOf(String scheme) {
    return port.isEmpty() ? new Authority(host, scheme.equals("https") ? "443" : "80") : this;
  }
}
