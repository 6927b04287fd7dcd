package dev.ferry.net.internal;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The host and the port of a URI (RFC 3986, 3.2), as a {@code Host} field has them. Nothing is ever
 * looked up: what an address of the name is now says nothing of what it was for a browser.
 *
 * @param host in lower case, without the dot behind it that a name may have; an IPv6 address in
 *     brackets
 * @param port as it is written; empty where there is none
 */
public record Authority(String host, String port) {
  private static final Pattern FORM =
      Pattern.compile(
          "(?<host>\\[[0-9A-Fa-f:.]{2,45}]|[A-Za-z0-9._~!$&'()*+,;=%-]{1,255})"
              + "(?::(?<port>[0-9]{0,5}))?");

  private static final String LOOPBACK = "localhost";

  /** Reads a field's value; null where it is malformed. */
  public static @Nullable Authority parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    String host = name(matcher.group("host"));
    String port = matcher.group("port");
    return host.isEmpty() ? null : new Authority(host, port == null ? "" : port);
  }

  /** A host's name as it is compared. */
  static String name(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }

  /** Whether the host is an address and not a name. */
  boolean isAddress() {
    return address() != null;
  }

  /** Whether the host stands for the machine that asks, for everybody who asks. */
  boolean isLoopback() {
    InetAddress address = address();
    return address == null
        ? host.equals(LOOPBACK) || host.endsWith("." + LOOPBACK)
        : address.isLoopbackAddress();
  }

  private @Nullable InetAddress address() {
    return NetUtil.createInetAddressFromIpAddressString(
        host.startsWith("[") ? host.substring(1, host.length() - 1) : host);
  }

  /** The same with the port of a scheme where it has none. */
  Authority withPortOf(String scheme) {
    return port.isEmpty() ? new Authority(host, scheme.equals("https") ? "443" : "80") : this;
  }
}
