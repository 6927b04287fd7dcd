package dev.ferry.net.internal;

import dev.ferry.net.CrossOrigin;
import dev.ferry.net.ServerSettings;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which requests a port of HTTP answers, by the host they ask for and the page they come from.
 *
 * <p>Any web page can have its reader's browser send requests to a server that only the reader's
 * machine can reach. Those to another origin carry the page's {@code Origin}. Where the page's own
 * name leads to the server (DNS rebinding) they are of one origin to the browser, but carry that
 * name as {@code Host}: so a port of loopback answers to names of loopback, and to the one it was
 * bound by, unless it is told of others. A port of another address answers to any host until it is
 * told of names; from then on to these, to those of loopback, and to addresses, which no page can
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

  /** A host that was found to be the port's: most clients ask for the same one again and again. */
  private volatile @Nullable String knownHost;

  private AccessRules(
      String scheme, InetSocketAddress address, Set<String> hostNames, CrossOrigin allowedOrigins) {
    this.scheme = scheme;
    this.loopback = address.getAddress().isLoopbackAddress();
    this.boundName = Authority.name(address.getHostString());
    this.hostNames = hostNames;
    this.allowedOrigins = allowedOrigins;
  }

  /**
   * The rules of a port.
   *
   * @param tls whether the port speaks TLS, so that its pages are of the scheme {@code https}
   * @param address what it is bound to, resolved; a name that it was given by is its own
   */
  public static AccessRules of(ServerSettings settings, boolean tls, InetSocketAddress address) {
    return new AccessRules(
        tls ? "https" : "http",
        address,
        settings.hostNames().stream().map(Authority::name).collect(Collectors.toUnmodifiableSet()),
        settings.allowedOrigins());
  }

  /** Other web sites whose pages may use the port. */
  public CrossOrigin allowedOrigins() {
    return allowedOrigins;
  }

  /**
   * Why a request is not answered.
   *
   * @param status of HTTP: 400, 403 or 421
   * @param why one line for the client, with the remedy
   */
  public record Refusal(int status, String why) {}

  /**
   * Looks at a request, before anything is done for it.
   *
   * @param hosts the values of all its {@code Host} fields or, in HTTP/2, of {@code :authority}
   * @param origins the values of all its {@code Origin} fields
   * @return null where it may be answered
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
        : "pages without an origin of their own may not use this server";
  }
}
