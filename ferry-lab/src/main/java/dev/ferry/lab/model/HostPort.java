package dev.ferry.lab.model;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a server.
 *
 * @param host name or address, without the brackets of an IPv6 address
 */
public record HostPort(String host, int port) {
  private static final int MAX_PORT = 65_535;
  private static final Pattern FORM =
      Pattern.compile("(?:\\[([0-9A-Fa-f:.%a-z]+)]|([^\\s:/\\[\\]]+))(?::(\\d{1,5}))?");

  /**
   * Parses {@code HOST} or {@code HOST:PORT}, with an IPv6 address in brackets.
   *
   * @param port the port if the text has none
   */
  public static HostPort parse(String text, int port) throws LabException {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw LabException.usage(
          "'%s' is not HOST, HOST:PORT or [IPV6]:PORT, for instance 127.0.0.1:7070"
              .formatted(Printable.of(text)));
    }
    String host = form.group(1) == null ? form.group(2) : form.group(1);
    if (form.group(3) == null) {
      return new HostPort(host, port);
    }
    int given = Integer.parseInt(form.group(3));
    if (given < 1 || given > MAX_PORT) {
      throw LabException.usage(
          "'%s': port %d is not from 1 to %d".formatted(Printable.of(text), given, MAX_PORT));
    }
    return new HostPort(host, given);
  }

  /** Returns {@code host:port}, with an IPv6 address in brackets. */
  @Override
  public String toString() {
    boolean bareIpv6 = host.indexOf(':') >= 0 && !host.startsWith("[");
    return (bareIpv6 ? "[" + host + "]" : host) + ":" + port;
  }
}
