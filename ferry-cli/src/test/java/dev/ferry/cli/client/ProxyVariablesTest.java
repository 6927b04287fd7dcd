package dev.ferry.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ProxyVariablesTest {
  private static String proxy(String variables, String uri) {
    Map<String, String> environment =
        Stream.of(variables.split(";"))
            .map(variable -> variable.split("=", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    Proxy proxy = ProxyVariables.of(environment, null).select(URI.create(uri)).get(0);
    return proxy.address() instanceof InetSocketAddress address
        ? address.getHostString() + ":" + address.getPort()
        : "none";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "http_proxy=http://p:3128 | http://host/ | p:3128",
        "http_proxy=p | http://host/ | p:1080",
        "HTTP_PROXY=p | http://host/ | none",
        "http_proxy=p | https://host/ | none",
        "HTTPS_PROXY=p:1 | https://host/ | p:1",
        "HTTPS_PROXY=p:1;https_proxy=HTTP://q:2/ | https://host/ | q:2",
        "HTTPS_PROXY=;all_proxy=[::1]:3 | https://host/ | ::1:3",
        "ALL_PROXY=p:1;no_proxy=a, host | http://host:7080/ | none",
        "ALL_PROXY=p:1;NO_PROXY=.host | http://HOST/ | none",
        "ALL_PROXY=p:1;NO_PROXY=host | http://a.host/ | none",
        "ALL_PROXY=p:1;NO_PROXY=host | http://ahost/ | p:1",
        "ALL_PROXY=p:1;NO_PROXY=::2 10.0.0.1 | http://[::2]/ | none",
        "ALL_PROXY=p:1;NO_PROXY=[0:0:0:0:0:0:0:2] | http://[::2]/ | none",
        "ALL_PROXY=p:1;NO_PROXY=::2 | http://[::3]/ | p:1",
        "ALL_PROXY=p:1 | http://127.0.0.1:7080/ | none",
        "ALL_PROXY=p:1 | http://LOCALHOST/ | none",
        "ALL_PROXY=p:1 | http://[::ffff:127.0.0.1]/ | none",
        "ALL_PROXY=p:1 | http://[::ffff:7f00:1]/ | none",
        "ALL_PROXY=p:1 | http://[0:0:0:0:0:0:0:1]/ | none",
        "ALL_PROXY=p:1 | http://127.example/ | p:1",
        "ALL_PROXY=p:1 | http://[::1]/ | none",
        "ALL_PROXY=p:1;NO_PROXY=* | http://host/ | none",
        "ALL_PROXY=p:1;NO_PROXY=x,10.0.0.0/8 | http://10.1.2.3:7080/ | none",
        "ALL_PROXY=p:1;NO_PROXY=10.0.0.0/8 | http://11.1.2.3/ | p:1",
        "ALL_PROXY=p:1;NO_PROXY=192.168.5.128/25 | http://192.168.5.200/ | none",
        "ALL_PROXY=p:1;NO_PROXY=192.168.5.128/25 | http://192.168.5.100/ | p:1",
        "ALL_PROXY=p:1;NO_PROXY=fd00::/8 | http://[fd12::1]/ | none",
        "ALL_PROXY=p:1;NO_PROXY=fd00::/8 10.0.0.0/33 | http://10.0.0.0/ | p:1",
        "ALL_PROXY=p:1;NO_PROXY=0.0.0.0/0 | http://host/ | p:1",
        "ALL_PROXY=p:1;NO_PROXY=x;no_proxy=host | http://x/ | p:1"
      })
  void select_variables_meanWhatTheyMeanToCurlButForThisMachine(
      String variables, String uri, String proxy) {
    assertThat(proxy(variables, uri)).isEqualTo(proxy);
  }

  @ParameterizedTest
  @ValueSource(strings = {"socks5://p:1", "https://p:1", "http://me:secret@p:1", "p:0", "//"})
  void select_whatIsNoProxyOfHttp_isRefusedInOneLine(String value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> proxy("all_proxy=" + value, "http://host/"))
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret").hasLineCount(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://host/", "https://host/"})
  void select_noVariable_asksTheJvm(String uri) {
    ProxySelector jvm = ProxySelector.of(new InetSocketAddress("127.0.0.1", 9));
    assertThat(ProxyVariables.of(Map.of("NO_PROXY", "*"), jvm).select(URI.create(uri)))
        .isEqualTo(jvm.select(URI.create(uri)));
  }
}
