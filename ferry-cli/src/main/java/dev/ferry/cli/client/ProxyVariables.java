package dev.ferry.cli.client;

import dev.ferry.core.internal.PlainText;
import dev.ferry.core.internal.ServerAddress;
import dev.ferry.wire.internal.HostName;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The proxies of the environment, read as curl does: {@code http_proxy} in lower case alone, {@code
 * https_proxy}, {@code all_proxy} and {@code no_proxy} in either case. Where the environment names
 * none, those of the JVM's properties count. Immutable and thread-safe.
 */
public final class ProxyVariables extends ProxySelector {
  private static final int STANDARD_PORT = 1080;
  private static final String FORM = "(?:(?<scheme>[A-Za-z0-9+.-]+)://)?(?<address>[^/@]+)/?";

  private static final Pattern BLOCK =
      Pattern.compile("\\[?(?<first>[0-9a-f:.]+)]?(?:/(?<bits>\\d{1,3}))?");

  private final Map<String, String> environment;
  private final @Nullable ProxySelector others;

  private ProxyVariables(Map<String, String> environment, @Nullable ProxySelector others) {
    this.environment = Map.copyOf(environment);
    this.others = others;
  }

  /** Has all clients of this process use the proxies of the environment, if it names one. */
  public static void install(Map<String, String> environment) {
    for (String name : environment.keySet()) {
      if (name.toLowerCase(Locale.ROOT).endsWith("_proxy")) {
        ProxySelector.setDefault(of(environment, ProxySelector.getDefault()));
        return;
      }
    }
  }

  static ProxyVariables of(Map<String, String> environment, @Nullable ProxySelector others) {
    return new ProxyVariables(environment, others);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the variable does not name a proxy of HTTP; the message is
   *     one line
   */
  @Override
  public List<Proxy> select(URI uri) {
    String variable = variable(String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT));
    if (variable == null) {
      return others == null ? List.of(Proxy.NO_PROXY) : others.select(uri);
    }
    return isExcepted(String.valueOf(uri.getHost()))
        ? List.of(Proxy.NO_PROXY)
        : List.of(proxy(variable, value(variable)));
  }

  @Override
  public void connectFailed(URI uri, SocketAddress proxy, IOException failure) {
    // The failure of the request names the proxy.
  }

  private @Nullable String variable(String scheme) {
    // A CGI script has the field Proxy of its request in HTTP_PROXY.
    List<String> names =
        scheme.equals("http")
            ? List.of("http_proxy", "all_proxy", "ALL_PROXY")
            : List.of("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY");
    return names.stream().filter(name -> !value(name).isEmpty()).findFirst().orElse(null);
  }

  private String value(String name) {
    return environment.getOrDefault(name, "").strip();
  }

  private boolean isExcepted(String host) {
    if (HostName.isThisMachine(host)) {
      // Unlike curl: tokens are sent there in plain text.
      return true;
    }
    String lower = host.toLowerCase(Locale.ROOT).replaceAll("[\\[\\]]", "");
    String excepted = value("no_proxy").isEmpty() ? value("NO_PROXY") : value("no_proxy");
    for (String entry : excepted.toLowerCase(Locale.ROOT).split("[\\s,]+")) {
      String name = entry.replaceFirst("^\\.", "");
      boolean named = !name.isEmpty() && (lower.equals(name) || lower.endsWith("." + name));
      if (named || entry.equals("*") || isInBlock(lower, entry)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a host is an IP address, in any form, or one of a block such as 10.0.0.0/8. */
  private static boolean isInBlock(String host, String block) {
    Matcher form = BLOCK.matcher(block);
    if (!form.matches()) {
      return false;
    }
    byte[] address = NetUtil.createByteArrayFromIpAddressString(host);
    byte[] first = NetUtil.createByteArrayFromIpAddressString(form.group("first"));
    if (address == null || first == null || address.length != first.length) {
      return false;
    }
    String bits = form.group("bits");
    int others = bits == null ? 0 : Byte.SIZE * first.length - Integer.parseInt(bits);
    BigInteger differing = new BigInteger(1, address).xor(new BigInteger(1, first));
    return others >= 0 && differing.shiftRight(others).signum() == 0;
  }

  private static Proxy proxy(String variable, String value) {
    Matcher form = Pattern.compile(FORM).matcher(value);
    if (value.contains("@")) {
      throw new IllegalArgumentException(
          variable + ": a proxy with a password is not supported; name one that needs none");
    }
    String scheme = form.matches() ? form.group("scheme") : "";
    if (scheme != null && !scheme.equalsIgnoreCase("http")) {
      throw new IllegalArgumentException(
          variable + ": '" + PlainText.of(value) + "' is not an HTTP proxy; give http://HOST:PORT");
    }
    ServerAddress address = ServerAddress.parse(form.group("address"));
    Integer port = address.port();
    return new Proxy(
        Proxy.Type.HTTP,
        InetSocketAddress.createUnresolved(address.host(), port == null ? STANDARD_PORT : port));
  }
}
