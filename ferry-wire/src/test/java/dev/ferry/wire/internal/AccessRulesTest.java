package dev.ferry.wire.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.ferry.wire.CrossOrigin;
import dev.ferry.wire.ServerSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccessRulesTest {
  private static final ServerSettings SETTINGS = ServerSettings.defaults();
  private static final ServerSettings NAMED = SETTINGS.withHostNames(List.of("Files.Example"));

  private static AccessRules on(String address, ServerSettings settings)
      throws UnknownHostException {
    return AccessRules.of(settings, false, at(InetAddress.getByName(address)));
  }

  private static InetSocketAddress at(InetAddress address) {
    return new InetSocketAddress(address, 7080);
  }

  private static int status(AccessRules rules, List<String> hosts, String... origins) {
    AccessRules.@Nullable Refusal refusal = rules.refusal(hosts, List.of(origins));
    return refusal == null ? 200 : refusal.status();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LOCALHOST:80",
        "localhost.",
        "ferry.localhost:7080",
        "127.0.0.1",
        "127.255.3.4:1",
        "[::1]",
        "[::1]:7080",
        "[0:0:0:0:0:0:0:1]",
        "[::ffff:127.0.0.1]",
        "127.1",
        "localhost:"
      })
  void refusal_loopbackPortAndNameOfLoopback_isNone(String host) throws Exception {
    assertThat(status(on("127.0.0.1", SETTINGS), List.of(host))).isEqualTo(200);
    assertThat(status(on("::1", SETTINGS), List.of(host))).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "evil.example:7080",
        "localhost.evil.example",
        "notlocalhost",
        "127.0.0.1.evil.example",
        "128.0.0.1",
        "127.0.0.256",
        "[::2]",
        "10.0.0.1"
      })
  void refusal_loopbackPortAndOtherHost_isMisdirected(String host) throws Exception {
    assertThat(status(on("127.0.0.1", SETTINGS), List.of(host))).isEqualTo(421);
    assertThat(status(on("127.0.0.1", NAMED), List.of(host))).isEqualTo(421);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        ".",
        "a b",
        "user@localhost",
        "localhost/",
        "localhost:x",
        "localhost:123456",
        "[::1",
        "[localhost]",
        "::1",
        "localhost,evil.example x",
        "localhöst",
        "a:1:2"
      })
  void refusal_malformedHost_isBadRequest(String host) throws Exception {
    assertThat(status(on("127.0.0.1", SETTINGS), List.of(host))).isEqualTo(400);
    assertThat(status(on("0.0.0.0", SETTINGS), List.of(host))).isEqualTo(400);
  }

  @Test
  void refusal_noHostOrSeveral_isBadRequest() throws Exception {
    for (AccessRules rules : List.of(on("127.0.0.1", SETTINGS), on("0.0.0.0", SETTINGS))) {
      assertThat(status(rules, List.of())).isEqualTo(400);
      assertThat(status(rules, List.of("localhost", "localhost"))).isEqualTo(400);
    }
  }

  @Test
  void refusal_nameThatWasGiven_isNone() throws Exception {
    assertThat(status(on("127.0.0.1", NAMED), List.of("files.EXAMPLE.:7080"))).isEqualTo(200);
    assertThat(status(on("127.0.0.1", NAMED), List.of("localhost"))).isEqualTo(200);
  }

  @Test
  void refusal_nameThatThePortIsBoundBy_isNone() throws Exception {
    InetAddress machine = InetAddress.getByAddress("My-Machine", new byte[] {127, 0, 1, 1});
    AccessRules rules = AccessRules.of(SETTINGS, false, at(machine));
    assertThat(status(rules, List.of("my-machine:7080"))).isEqualTo(200);
    assertThat(status(rules, List.of("other-machine"))).isEqualTo(421);
  }

  @Test
  void refusal_portOfAnotherAddress_restrictsNamesWhereSomeWereGiven() throws Exception {
    assertThat(status(on("0.0.0.0", SETTINGS), List.of("evil.example"))).isEqualTo(200);
    AccessRules named = on("0.0.0.0", NAMED);
    assertThat(status(named, List.of("evil.example"))).isEqualTo(421);
    assertThat(status(named, List.of("files.example"))).isEqualTo(200);
    assertThat(status(named, List.of("192.0.2.7:7080"))).isEqualTo(200);
    assertThat(status(named, List.of("[2001:db8::7]"))).isEqualTo(200);
    assertThat(status(named, List.of("localhost"))).isEqualTo(200);
  }

  @Test
  void refusal_hostUnknown_saysWhatToDo() throws Exception {
    AccessRules.@Nullable Refusal refusal =
        on("127.0.0.1", SETTINGS).refusal(List.of("Evil.example:80"), List.of());
    assertThat(refusal)
        .isEqualTo(
            new AccessRules.Refusal(
                421,
                "'evil.example' is not known as a name of this server; if it is one, start the"
                    + " server with --host-name evil.example"));
  }

  @ParameterizedTest
  @CsvSource({
    "localhost:7080, http://localhost:7080, 200",
    "localhost:7080, http://LOCALHOST:7080, 200",
    "localhost, http://localhost, 200",
    "localhost:80, http://localhost, 200",
    "localhost, http://localhost:80, 200",
    "[::1]:7080, http://[::1]:7080, 200",
    "localhost:7080, https://localhost:7080, 403",
    "localhost:7080, http://localhost:7090, 403",
    "localhost:7080, http://127.0.0.1:7080, 403",
    "localhost:7080, http://evil.example, 403",
    "localhost:7080, null, 403",
    "localhost:7080, '', 403",
    "localhost:7080, http://localhost:7080 http://evil.example, 403",
    "localhost:7080, http://localhost:7080/, 403",
    "evil.example, http://evil.example, 421",
  })
  void refusal_origin_mustBeThatOfTheHost(String host, String origin, int status) throws Exception {
    assertThat(status(on("127.0.0.1", SETTINGS), List.of(host), origin)).isEqualTo(status);
  }

  @Test
  void refusal_severalOrigins_lookAtEach() throws Exception {
    AccessRules rules = on("127.0.0.1", SETTINGS);
    assertThat(status(rules, List.of("localhost"), "http://localhost", "http://evil.example"))
        .isEqualTo(403);
  }

  @Test
  void refusal_originThatIsAllowed_isNone() throws Exception {
    CrossOrigin some = new CrossOrigin(List.of("https://example.org"));
    AccessRules rules = on("127.0.0.1", SETTINGS.withAllowedOrigins(some));
    assertThat(status(rules, List.of("localhost"), "https://example.org")).isEqualTo(200);
    assertThat(status(rules, List.of("localhost"), "http://example.org")).isEqualTo(403);
    assertThat(status(rules, List.of("evil.example"), "https://example.org")).isEqualTo(421);
    AccessRules any = on("127.0.0.1", SETTINGS.withAllowedOrigins(CrossOrigin.ANY));
    assertThat(status(any, List.of("localhost"), "null")).isEqualTo(200);
  }

  @Test
  void refusal_portWithTls_hasPagesOfHttps() throws Exception {
    InetSocketAddress loopback = at(InetAddress.getByName("127.0.0.1"));
    AccessRules rules = AccessRules.of(SETTINGS, true, loopback);
    assertThat(status(rules, List.of("localhost"), "https://localhost")).isEqualTo(200);
    assertThat(status(rules, List.of("localhost:443"), "https://localhost")).isEqualTo(200);
    assertThat(status(rules, List.of("localhost"), "http://localhost")).isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "files.example:80", "http://files.example", "files.example:"})
  void withHostNames_noName_namesIt(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SETTINGS.withHostNames(List.of(name)))
        .withMessageContaining("'" + name + "' is not a host name");
  }
}
