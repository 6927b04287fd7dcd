package dev.ferry.core.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ServerAddressTest {
  @Test
  void parse_hostAlone_hasNoPort() {
    assertThat(ServerAddress.parse("files.example"))
        .isEqualTo(new ServerAddress("files.example", null));
    assertThat(ServerAddress.parse("[::1]")).isEqualTo(new ServerAddress("::1", null));
  }

  @Test
  void parse_ipv6WithPort_dropsTheBrackets() {
    assertThat(ServerAddress.parse("[::1]:7070")).isEqualTo(new ServerAddress("::1", 7070));
    assertThat(ServerAddress.parse("[fe80::1%eth0]:1"))
        .isEqualTo(new ServerAddress("fe80::1%eth0", 1));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 80, 7070, 32_767, 32_768, 65_535})
  void parse_formattedAddress_givesItBack(int port) {
    for (String host : new String[] {"127.0.0.1", "::1", "my_host", "files.example"}) {
      assertThat(ServerAddress.parse(ServerAddress.format(host, port)))
          .isEqualTo(new ServerAddress(host, port));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        ":1",
        "host:",
        "host:0",
        "host:65536",
        "host:99999999",
        "::1",
        "[::1",
        "[]:1",
        "[::1]7070",
        "http://host",
        "a b",
        "host:+1"
      })
  void parse_anythingElse_isRefusedByName(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerAddress.parse(text))
        .withMessageContaining("'" + text + "'");
  }
}
