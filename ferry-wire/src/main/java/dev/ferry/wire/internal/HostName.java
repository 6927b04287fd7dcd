package dev.ferry.wire.internal;

import dev.ferry.core.internal.PlainText;
import io.netty.util.NetUtil;
import java.net.IDN;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The hosts that users name. grpc-java and {@code ProxySelector} take what a URI may contain, which
 * is less than what resolvers know: Docker's names often have an underscore.
 */
public final class HostName {
  private static final Pattern NAME =
      Pattern.compile("(?=.{1,254}$)[A-Za-z0-9_-]{1,63}(\\.[A-Za-z0-9_-]{1,63})*\\.?");

  private static final Pattern NUMBERS = Pattern.compile("[0-9.]+");

  /** What inet_aton(3) reads, without the octal numbers, which Java reads as decimal ones. */
  private static final Pattern IPV4 = Pattern.compile("(?:(0|[1-9]\\d{0,2})\\.){0,3}([1-9]\\d*|0)");

  /** The JDK would check the zone only when it connects. */
  private static final Pattern ZONE = Pattern.compile("[^%]+(%[A-Za-z0-9_.]+)?");

  /** Characters that Java's IDNA of 2003 maps to others, and that are letters of names today. */
  private static final Pattern MAPPED = Pattern.compile("[\u00df\u03c2\u200c\u200d]");

  private static final int BYTE = 256;

  private HostName() {}

  /**
   * Returns a host in the form to connect to: names in ASCII, IPv4 addresses with four numbers, and
   * IPv6 addresses without brackets, as short as they can be (RFC 5952). One that stands for an
   * IPv4 address ({@code ::ffff:127.0.0.1}) is that address.
   *
   * @throws IllegalArgumentException if it is neither a name nor an address; the message is one
   *     line that quotes the text
   */
  public static String canonical(String text) {
    String host = isAscii(text) ? text : ascii(text);
    if (host.indexOf(':') >= 0) {
      boolean bracketed = host.startsWith("[") && host.endsWith("]");
      String bare = bracketed ? host.substring(1, host.length() - 1) : host;
      if (!NetUtil.isValidIpV6Address(bare) || !ZONE.matcher(bare).matches()) {
        throw refused(text, "an IPv6 address, such as fe80::1%eth0");
      }
      return ipv6(bare);
    }
    if (NUMBERS.matcher(host).matches()) {
      return ipv4(text, host);
    }
    if (!NAME.matcher(host).matches()) {
      throw notNamed(text);
    }
    return host;
  }

  private static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }

  private static String ascii(String text) {
    if (MAPPED.matcher(text).find()) {
      throw new IllegalArgumentException(
          "'"
              + PlainText.of(text)
              + "': has a letter that Java would replace; write the name as xn--...");
    }
    try {
      return IDN.toASCII(text, IDN.ALLOW_UNASSIGNED);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(notNamed(text).getMessage(), e);
    }
  }

  private static String ipv6(String text) {
    int zone = text.indexOf('%');
    InetAddress address;
    try {
      // Nothing is looked up, since it is an address. Netty takes ::1.2.3.4 for ::ffff:1.2.3.4.
      address = InetAddress.getByName(zone < 0 ? text : text.substring(0, zone));
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("'" + text + "' is not an IPv6 address", e);
    }
    String shortest = NetUtil.toAddressString(address);
    return zone < 0 || address instanceof Inet4Address ? shortest : shortest + text.substring(zone);
  }

  /** The last of fewer than four numbers fills the remaining bytes: {@code 127.1}. */
  private static String ipv4(String text, String host) {
    String[] numbers = host.split("\\.", -1);
    Matcher form = IPV4.matcher(host);
    if (!form.matches() || form.group(2).length() > 10) {
      throw notFour(text);
    }
    long last = Long.parseLong(form.group(2));
    int missing = 4 - numbers.length;
    if (last >= 1L << (8 * (missing + 1))) {
      throw notFour(text);
    }
    StringBuilder four = new StringBuilder();
    for (int i = 0; i < numbers.length - 1; i++) {
      if (Integer.parseInt(numbers[i]) >= BYTE) {
        throw notFour(text);
      }
      four.append(numbers[i]).append('.');
    }
    for (int i = missing; i >= 0; i--) {
      four.append((last >> (8 * i)) % BYTE).append(i == 0 ? "" : ".");
    }
    return four.toString();
  }

  private static IllegalArgumentException notFour(String text) {
    return refused(text, "an IPv4 address, which is four numbers such as 10.0.0.1");
  }

  private static IllegalArgumentException notNamed(String text) {
    return refused(text, "a host name, which has letters, digits, '-', '_' and '.'");
  }

  private static IllegalArgumentException refused(String text, String kind) {
    return new IllegalArgumentException("'" + PlainText.of(text) + "' is not " + kind);
  }

  /** Whether a host in {@linkplain #canonical canonical} form is an address and not a name. */
  public static boolean isAddress(String host) {
    return host.indexOf(':') >= 0 || NUMBERS.matcher(host).matches();
  }

  /**
   * Whether a host is this machine, by the name {@code localhost} or a loopback address in any
   * form. Nothing is looked up: other names may lead to other machines, even {@code x.localhost}
   * and {@code localhost.}, for which some resolvers ask the network.
   *
   * @param text as users write it; what is no host is not this machine
   */
  public static boolean isThisMachine(String text) {
    String host;
    try {
      host = canonical(text);
    } catch (IllegalArgumentException e) {
      return false;
    }
    return isAddress(host)
        ? host.startsWith("127.") || host.equals("::1") || host.startsWith("::1%")
        : host.equalsIgnoreCase("localhost");
  }

  /**
   * Whether a URI, and a certificate, may name a host. Otherwise a client has to look it up itself
   * and to connect to its address. Not for TLS either is the dot at the end of a complete name.
   */
  public static boolean fitsUri(String host) {
    try {
      return new URI(null, null, host, 1, null, null, null).getHost() != null
          && !host.endsWith(".");
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
