package dev.ferry.library.internal;

import dev.ferry.core.internal.KnownNames;
import dev.ferry.core.internal.PlainText;
import dev.ferry.core.internal.ServerAddress;
import dev.ferry.library.Protocol;
import dev.ferry.wire.Servers;
import dev.ferry.wire.internal.contract.BasePath;
import dev.ferry.wire.internal.contract.HttpRoutes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The address of a file or directory, with its server: {@code ferry://HOST[:PORT]/PATH}, or a URL
 * of HTTP, {@code http://HOST[:PORT]/files/PATH}, before whose {@code /files/} the base path of a
 * server may stand. Several servers of the same files have commas between them: {@code
 * ferry://HOST,HOST:PORT/PATH}.
 *
 * @param named the servers, perhaps without a port
 * @param base the base path of the servers; empty for none
 * @param path the path in the store, decoded and not checked; it may be empty or end with {@code /}
 * @param pattern the same as a pattern: what was percent-encoded has a backslash before it, and so
 *     is no wildcard
 */
public record FileAddress(
    Scheme scheme, List<ServerAddress> named, String base, String path, String pattern) {
  /** The schemes of addresses. */
  public enum Scheme {
    /** A server in plain text, by either protocol. */
    FERRY(false),
    /** A server over TLS, by either protocol. */
    FERRYS(true),
    /** A URL of HTTP. */
    HTTP(false),
    /** A URL of HTTPS. */
    HTTPS(true);

    private final boolean tls;

    Scheme(boolean tls) {
      this.tls = tls;
    }

    /** The port of servers that name none: that of the protocol, or of all servers of HTTP. */
    int defaultPort(Protocol protocol) {
      return isHttp() ? tls ? 443 : 80 : protocol.defaultPort();
    }

    /** Whether it is TLS. */
    public boolean tls() {
      return tls;
    }

    /** Whether it is a URL. */
    public boolean isHttp() {
      return this == HTTP || this == HTTPS;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final Pattern FORM =
      Pattern.compile(
          "(?<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?<authority>[^/?#]*)(?<path>/[^?#]*)?(?<rest>.*)",
          Pattern.DOTALL);

  /** An encoded character of ASCII that is no letter or digit. */
  private static final Pattern ENCODED_ASCII =
      Pattern.compile("%(?!3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa])[0-7]");

  /** Whether a text is meant as an address. No path of a store has this form. */
  public static boolean isAddress(String text) {
    return FORM.matcher(text).matches();
  }

  /**
   * Parses an address.
   *
   * @throws IllegalArgumentException if it is malformed; the message is one line that names the
   *     address, but never credentials
   */
  public static FileAddress parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + PlainText.of(text) + "' is not an address");
    }
    String authority = matcher.group("authority");
    if (authority.contains("@")) {
      throw new IllegalArgumentException(
          "an address has no credentials, which other users could see: leave out what is before"
              + " '@', and give a token with --token-file, FERRY_TOKEN, or in a program"
              + " FerryClient.Builder.token");
    }
    Scheme scheme = scheme(matcher.group("scheme"));
    if (!matcher.group("rest").isEmpty()) {
      throw new IllegalArgumentException(
          "'"
              + PlainText.of(text)
              + "': an address has no '?' or '#'; in a name, write %3F or %23");
    }
    List<ServerAddress> servers = ServerAddress.parseList(authority);
    String path = matcher.group("path") == null ? "/" : matcher.group("path");
    String base = "";
    if (scheme.isHttp()) {
      int files = (path + "/").indexOf(HttpRoutes.FILES);
      if (files < 0) {
        throw new IllegalArgumentException(
            "'" + PlainText.of(text) + "': the files of a server are below " + HttpRoutes.FILES);
      }
      base = files == 0 ? "" : BasePath.parse(path.substring(0, files)).value();
      int from = files + HttpRoutes.FILES.length() - 1;
      path = from == path.length() ? "/" : path.substring(from);
    }
    String encoded = path.substring(1);
    FileAddress address =
        new FileAddress(
            scheme,
            servers,
            base,
            decoded(text, encoded),
            decoded(text, ENCODED_ASCII.matcher(encoded).replaceAll("\\\\$0")));
    // Refuses hosts that are no hosts.
    List<Servers.Address> unused = address.servers(Protocol.HTTP);
    return address;
  }

  /** Returns the servers with the ports to use. */
  public List<Servers.Address> servers(Protocol protocol) {
    int defaultPort = scheme.defaultPort(protocol);
    List<Servers.Address> addresses = new ArrayList<>();
    for (ServerAddress server : named) {
      Integer port = server.port();
      addresses.add(new Servers.Address(server.host(), port == null ? defaultPort : port));
    }
    return addresses;
  }

  /** Names servers in an order and a case that do not depend on how they were written. */
  public static List<String> sorted(List<Servers.Address> servers) {
    return servers.stream()
        .map(server -> server.toString().toLowerCase(Locale.ROOT))
        .sorted()
        .toList();
  }

  private static Scheme scheme(String text) {
    for (Scheme scheme : Scheme.values()) {
      if (scheme.name().equalsIgnoreCase(text)) {
        return scheme;
      }
    }
    KnownNames names = KnownNames.of(Stream.of(Scheme.values()).map(Scheme::toString).toList());
    throw new IllegalArgumentException(
        "'" + text + "://': no scheme of an address; " + names.hint(text));
  }

  /** Returns the protocol by which to speak to these servers if none was chosen. */
  public Protocol protocol() {
    return !scheme.isHttp() && namesGrpcPorts() ? Protocol.GRPC : Protocol.HTTP;
  }

  /** Whether the port is named on which servers speak gRPC unless they are told otherwise. */
  private boolean namesGrpcPorts() {
    for (ServerAddress server : named) {
      if (!Objects.equals(server.port(), Protocol.GRPC.defaultPort())) {
        return false;
      }
    }
    return true;
  }

  /** Decodes percent-encoded UTF-8. Characters that need no encoding in a shell may stand too. */
  private static String decoded(String address, String path) {
    if (path.toLowerCase(Locale.ROOT).contains("%2f")) {
      throw new IllegalArgumentException(
          "'" + PlainText.of(address) + "': an encoded '/' is not allowed");
    }
    byte[] raw = path.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length);
    for (int i = 0; i < raw.length; i++) {
      if (raw[i] != '%') {
        bytes.write(raw[i]);
        continue;
      }
      boolean whole = i + 2 < raw.length;
      int high = whole ? Character.digit(raw[i + 1], 16) : -1;
      int low = whole ? Character.digit(raw[i + 2], 16) : -1;
      if (high < 0 || low < 0) {
        throw new IllegalArgumentException(
            "'"
                + PlainText.of(address)
                + "': '%' needs two hexadecimal digits; write %25 for '%' itself");
      }
      bytes.write(high * 16 + low);
      i += 2;
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(
          "'" + PlainText.of(address) + "': not percent-encoded UTF-8", e);
    }
  }

  /** Whether both are on the same servers. */
  public boolean hasServerOf(FileAddress other) {
    List<Servers.Address> these = servers(Protocol.HTTP);
    List<Servers.Address> those = other.servers(Protocol.HTTP);
    return scheme == other.scheme
        && base.equals(other.base)
        && (these.equals(those) || sorted(these).equals(sorted(those)));
  }
}
