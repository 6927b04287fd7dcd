package dev.ferry.wire.internal;

import dev.ferry.wire.CrossOrigin;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.contract.BasePath;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides by {@code Host} and {@code Origin} which requests an HTTP port serves.
 *
 * <p>A web page can make its reader's browser send requests to a server that only the reader's
 * machine can reach. Cross-origin requests carry the {@code Origin} of the page. With DNS
 * rebinding, the page's own host name resolves to the server, so the browser treats the requests as
 * same-origin, but they carry that name as {@code Host}.
 *
 * <p>A port on a loopback address therefore accepts only loopback names, the name it was bound by,
 * and the configured host names. A port on another address accepts any host if no host names are
 * configured. Otherwise it accepts these, loopback names, and IP addresses, which a page cannot
 * rebind. Thread-safe.
 */
public final class AccessRules {
  private static final int BAD_REQUEST = 400;
  private static final int FORBIDDEN = 403;
  private static final int MISDIRECTED = 421;

  private final String scheme;
  private final boolean loopback;
  private final String boundName;
  private final Set<String> hostNames;
  private final CrossOrigin allowedOrigins;
  private final BasePath basePath;

  /** The last accepted host. Most clients send the same one in every request. */
  private volatile @Nullable String knownHost;

  private AccessRules(
      String scheme,
      InetSocketAddress address,
      Set<String> hostNames,
      CrossOrigin allowedOrigins,
      BasePath basePath) {
    this.scheme = scheme;
    this.loopback = address.getAddress().isLoopbackAddress();
    this.boundName = Authority.name(address.getHostString());
    this.hostNames = hostNames;
    this.allowedOrigins = allowedOrigins;
    this.basePath = basePath;
  }

  /**
   * Creates the rules of a port.
   *
   * @param tls whether the port uses TLS, so that its own origin has the scheme {@code https}
   * @param address the resolved address that the port is bound to; its host string is accepted as
   *     {@code Host}
   */
  public static AccessRules of(ServerSettings settings, boolean tls, InetSocketAddress address) {
    return new AccessRules(
        tls ? "https" : "http",
        address,
        settings.hostNames().stream().map(Authority::name).collect(Collectors.toUnmodifiableSet()),
        settings.allowedOrigins(),
        new BasePath(settings.basePath()));
  }

  /** The path below which clients know the port. */
  public BasePath basePath() {
    return basePath;
  }

  /** Other origins whose pages may use the port. */
  public CrossOrigin allowedOrigins() {
    return allowedOrigins;
  }

  /**
   * The reason for rejecting a request.
   *
   * @param status HTTP status: 400, 403 or 421
   * @param why one line for the client that says how to fix it
   */
  public record Refusal(int status, String why) {}

  /**
   * Checks a request before it is processed.
   *
   * @param hosts all {@code Host} values or, in HTTP/2, all {@code :authority} values
   * @param origins all {@code Origin} values
   * @return null if the request is allowed
   */
  public @Nullable Refusal refusal(List<String> hosts, List<String> origins) {
    if (hosts.size() != 1) {
      String many = hosts.isEmpty() ? "no Host field" : "several Host fields";
      return new Refusal(BAD_REQUEST, "the request has " + many + "; send exactly one");
    }
    if (origins.isEmpty() && hosts.get(0).equals(knownHost)) {
      return null;
    }
    Authority host = Authority.parse(hosts.get(0));
    if (host == null) {
      return new Refusal(
          BAD_REQUEST, "Host: malformed; send the name or address of the server and its port");
    }
    if (!isOurs(host)) {
      return new Refusal(
          MISDIRECTED,
          "'"
              + host.host()
              + "' is not known as a name of this server; if it is one, start the server with"
              + " --host-name "
              + host.host());
    }
    knownHost = hosts.get(0);
    for (String origin : origins) {
      if (!allowedOrigins.allows(origin) && !isSame(origin, host)) {
        return new Refusal(FORBIDDEN, foreign(origin));
      }
    }
    return null;
  }

  /**
   * Returns whether a URI in a field of a request is on this server: whether it has the host of the
   * request, or a configured host name with any port. A proxy may send another host than clients
   * know it by.
   *
   * @param scheme {@code http} or {@code https}
   * @param authority host and port of the URI
   * @param host the {@code Host} of the request
   */
  public boolean isSame(String scheme, String authority, String host) {
    Authority named = Authority.parse(authority);
    if (named == null) {
      return false;
    }
    Authority own = Authority.parse(host.strip());
    String lower = scheme.toLowerCase(Locale.ROOT);
    return hostNames.contains(named.host())
        || (own != null && named.withPortOf(lower).equals(own.withPortOf(lower)));
  }

  private boolean isOurs(Authority host) {
    String name = host.host();
    if (host.isLoopback() || name.equals(boundName) || hostNames.contains(name)) {
      return true;
    }
    return !loopback && (hostNames.isEmpty() || host.isAddress());
  }

  private boolean isSame(String origin, Authority host) {
    String prefix = scheme + "://";
    if (!origin.startsWith(prefix)) {
      return false;
    }
    Authority page = Authority.parse(origin.substring(prefix.length()));
    return page != null && page.withPortOf(scheme).equals(host.withPortOf(scheme));
  }

  private static String foreign(String origin) {
    return CrossOrigin.isOrigin(origin)
        ? "pages of "
            + origin
            + " may not use this server; if they should, start it with --allow-origin "
            + origin
        : "pages without their own origin may not use this server";
  }
}
