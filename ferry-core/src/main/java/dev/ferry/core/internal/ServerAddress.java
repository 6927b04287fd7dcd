package dev.ferry.core.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of a server, as the user wrote it.
 *
 * @param host name or address, without the brackets of an IPv6 address
 * @param port up to 65535; null means the default port of the protocol
 */
public record ServerAddress(String host, @Nullable Integer port) {
  private static final Pattern FORM =
      Pattern.compile(
          "(?:\\[(?<v6>[0-9A-Fa-f:.%a-z]+)]|(?<host>[^\\s:/\\[\\]]+))(?::(?<port>\\d{1,5}))?");

  /**
   * Parses {@code HOST}, {@code HOST:PORT}, {@code [IPV6]} or {@code [IPV6]:PORT}.
   *
   * @throws IllegalArgumentException if the text has another form; the message is one line that
   *     quotes the text
   */
  public static ServerAddress parse(String text) {
    return parse(text, 1);
  }

  /**
   * Parses one or several addresses with commas between them, each as {@link #parse} does.
   *
   * @throws IllegalArgumentException if one has another form; the message is one line that quotes
   *     it, and the list if there is one
   */
  public static List<ServerAddress> parseList(String text) {
    String[] parts = text.split(",", -1);
    if (parts.length == 1) {
      return List.of(parse(text));
    }
    List<ServerAddress> all = new ArrayList<>();
    for (String part : parts) {
      if (part.isBlank()) {
        throw new IllegalArgumentException(
            "'"
                + PlainText.of(text)
                + "': an address is missing next to a comma; give HOST,HOST or"
                + " HOST:PORT,HOST:PORT");
      }
      try {
        all.add(parse(part));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("'" + PlainText.of(text) + "': " + e.getMessage(), e);
      }
    }
    return List.copyOf(all);
  }

  /**
   * Parses the address of a port to open, as {@link #parse}. It has a port; 0 selects a free one.
   */
  public static ServerAddress parseListening(String text) {
    ServerAddress address = parse(text, 0);
    if (address.port() == null) {
      throw new IllegalArgumentException(
          "'" + PlainText.of(text) + "' has no port; give HOST:PORT");
    }
    return address;
  }

  private static ServerAddress parse(String text, int leastPort) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'"
              + PlainText.of(text)
              + "' is not HOST, HOST:PORT or [IPV6]:PORT, for instance 127.0.0.1:7070");
    }
    String v6 = matcher.group("v6");
    String host = v6 == null ? matcher.group("host") : v6;
    String port = matcher.group("port");
    if (port == null) {
      return new ServerAddress(host, null);
    }
    int number = Integer.parseInt(port);
    if (number < leastPort || number > 65_535) {
      throw new IllegalArgumentException(
          "'"
              + PlainText.of(text)
              + "': port "
              + number
              + " is not from "
              + leastPort
              + " to 65535");
    }
    return new ServerAddress(host, number);
  }

  /** Formats an address in the form that {@link #parse} reads. */
  public static String format(String host, int port) {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
