package dev.ferry.lab.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.network.Network;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NetworksTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "lan | lan: RTT 0.2 ms, 10000 Mbit/s, loss 0 %, queue 1048576 bytes",
        "Metro | metro: RTT 5 ms, 1000 Mbit/s, loss 0 %, queue 1048576 bytes",
        "mobile | mobile: RTT 60 ms, 30 Mbit/s, loss 0.5 %, queue 1048576 bytes",
        "country,loss=1% | custom: RTT 20 ms, 1000 Mbit/s, loss 1 %, queue 1048576 bytes",
        "rtt=1.5ms | custom: RTT 1.5 ms, no limit of the rate, loss 0 %, queue 1048576 bytes",
        "rtt=1s,rate=500kbit,loss=0.01,queue=64KiB | custom: RTT 1000 ms, 0.5 Mbit/s, loss 0.01 %,"
            + " queue 65536 bytes"
      })
  void parse_presetOrValues_isThatNetwork(String text, String network) throws Exception {
    assertThat(Networks.parse(text)).hasToString(network);
  }

  @Test
  void parse_values_areThoseOfTheWire() throws Exception {
    Network network = Networks.parse("rtt=20ms,rate=1gbit,loss=0.1%,queue=1MiB,congestion=cubic");

    assertThat(network.delayNanos()).isEqualTo(10_000_000);
    assertThat(network.rateBits()).isEqualTo(1_000_000_000);
    assertThat(network.lossPerMillion()).isEqualTo(1_000);
    assertThat(network.offload()).isFalse();
    assertThat(network.congestion()).isEqualTo("cubic");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "moon | 'moon' is not a network; give rtt=20ms,rate=1gbit,loss=0.1%",
        "metro,delay=5ms | 'delay=5ms' is not a network; give rtt=20ms",
        "loss=1%,metro | 'metro' is not a network; give rtt=20ms",
        "rtt=5 | rtt is '5'; give 0 to 10s, such as 20ms or 200us",
        "rtt=20s | rtt is '20s'; give 0 to 10s, such as 20ms or 200us",
        "rate=1mb | rate is '1mb'; give 100kbit to 100gbit, such as 200mbit",
        "rate=1kbit | rate is '1kbit'; give 100kbit to 100gbit, such as 200mbit",
        "loss=80% | loss is '80%'; give 0% to 50%, such as 0.1%",
        "queue=100 | queue is '100'; give 1500 bytes to 1 GiB, such as 1MiB",
        "queue=few | queue is 'few'; give 1500 bytes to 1 GiB, such as 1MiB",
        "congestion=a b | congestion is 'a b'; give one that the kernel has, such as cubic or bbr"
      })
  void parse_anythingElse_saysWhatToGive(String text, String message) {
    assertThatThrownBy(() -> Networks.parse(text))
        .isInstanceOf(LabException.class)
        .hasMessageContaining("--network: " + message);
  }
}
