package dev.ferry.wire.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HostNameTest {
  @ParameterizedTest
  @CsvSource({
    "files.example, files.example, true",
    "my_service, my_service, false",
    "tasks.my_service.1, tasks.my_service.1, false",
    "host., host., false",
    "Bücher.example, xn--bcher-kva.example, true",
    "例。example, xn--fsq.example, true",
    "127.0.0.1, 127.0.0.1, true",
    "127.1, 127.0.0.1, true",
    "10.1.258, 10.1.1.2, true",
    "2130706433, 127.0.0.1, true",
    "::1, ::1, true",
    "[::1], ::1, true",
    "[0:0:0:0:0:0:0:1], ::1, true",
    "::ffff:127.0.0.1, 127.0.0.1, true",
    "[::FFFF:a00:1], 10.0.0.1, true",
    "2001:DB8:0::01, 2001:db8::1, true",
    "::127.0.0.1, ::7f00:1, true",
    "FE80:0::1%eth0, fe80::1%eth0, true",
    "fe80::1%eth0, fe80::1%eth0, true"
  })
  void canonical_hostThatCanBeReached_isWhatToConnectTo(String text, String host, boolean fitsUri) {
    assertThat(HostName.canonical(text)).isEqualTo(host);
    assertThat(HostName.fitsUri(host)).isEqualTo(fitsUri);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LocalHost",
        "127.0.0.1",
        "127.1.2.3",
        "127.1",
        "2130706433",
        "::1",
        "[::1]",
        "[::1%lo]",
        "0:0:0:0:0:0:0:1",
        "[0000::0.0.0.1]",
        "[::ffff:127.0.0.1]",
        "::ffff:7f00:1"
      })
  void isThisMachine_loopbackInAnyForm_isTrue(String host) {
    assertThat(HostName.isThisMachine(host)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a.localhost",
        "localhost.",
        "localhost.example.org",
        "127.0.0.1.example.org",
        "127.example",
        "127.0.0.1.",
        "0x7f.1",
        "0177.0.0.1",
        "10.0.0.1",
        "0.0.0.0",
        "::",
        "::2",
        "::1:1",
        "::127.0.0.1",
        "::ffff:10.0.0.1",
        "[::1",
        "fe80::1%lo"
      })
  void isThisMachine_whatMayBeAnother_isFalse(String host) {
    assertThat(HostName.isThisMachine(host)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "a..b",
        "a b",
        "a/b",
        "a%62",
        "a@b",
        "straße.de",
        "1.2.3.4.5",
        "256.1",
        "127.256.1",
        "010.0.0.1",
        "4294967296",
        "99999999999999999999",
        "1.",
        "127..1",
        "::1::",
        "::1%a b",
        "[::1"
      })
  void canonical_textThatIsNoHost_isRefusedByName(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostName.canonical(text))
        .withMessageStartingWith("'" + text + "'");
  }
}
