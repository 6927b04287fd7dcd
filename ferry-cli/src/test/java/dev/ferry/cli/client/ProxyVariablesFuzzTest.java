package dev.ferry.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FuzzTarget;
import dev.ferry.core.internal.PlainText;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * The variables of proxies: the input has the proxy before its first line break, and behind it the
 * hosts that are reached without.
 */
final class ProxyVariablesFuzzTest implements FuzzTarget {
  private static final List<URI> SERVERS =
      List.of(
          URI.create("http://files.example.org"),
          URI.create("http://10.1.2.3:7080"),
          URI.create("http://[fe80::1]"));

  @Override
  public void parse(byte[] input) {
    String text = new String(input, StandardCharsets.UTF_8).replace("\0", "");
    int end = text.indexOf('\n');
    String proxy = end < 0 ? text : text.substring(0, end);
    String excepted = text.substring(end + 1);
    ProxyVariables variables =
        ProxyVariables.of(Map.of("http_proxy", proxy, "no_proxy", excepted), null);
    assertThat(variables.select(URI.create("http://localhost"))).containsExactly(Proxy.NO_PROXY);
    for (URI server : SERVERS) {
      try {
        Proxy chosen = variables.select(server).get(0);
        if (chosen.address() instanceof InetSocketAddress address) {
          assertThat(proxy).contains(address.getHostString());
          assertThat(excepted).isNotEqualTo("*").isNotEqualTo(server.getHost());
        }
      } catch (IllegalArgumentException e) {
        String message = String.valueOf(e.getMessage());
        assertThat(e).isExactlyInstanceOf(IllegalArgumentException.class);
        assertThat(message).isEqualTo(PlainText.of(message));
      }
    }
  }
}
