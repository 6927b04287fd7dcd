package dev.ferry.lab.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.lab.model.network.Calibration;
import dev.ferry.lab.model.network.Network;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class CalibrationCheckTest {
  private static final Network ASKED = new Network("custom", 20, 100.0, 1, 1 << 20, null);
  private static final Calibration GOOD = measured(20.9, 95.1, 1.04);

  private static Calibration measured(double rtt, double rate, double loss) {
    return new Calibration(rtt, rtt, 100, rate, "udp", loss, 1_000_000);
  }

  private static void assertReason(
      @Nullable String reason, Network asked, Calibration... measured) {
    assertThat(CalibrationCheck.reason(asked, List.of(measured), true)).isEqualTo(reason);
  }

  @Test
  void reason_withinFivePercent_isNone() {
    assertReason(null, ASKED, GOOD, GOOD);
  }

  @Test
  void reason_offByMore_namesTheFigureAndWhen() {
    String start = "the network was not as asked: ";
    assertReason(
        start + "before the rows, the RTT was 21.10 ms and not 20.00",
        ASKED,
        measured(21.1, 100, 1),
        GOOD);
    assertReason(
        start + "after the rows, the rate was 94.0 Mbit/s and not 100.0",
        ASKED,
        GOOD,
        measured(20, 94, 1));
    assertReason(
        start + "after the rows, the loss was 1.100 % and not 1.000",
        ASKED,
        GOOD,
        measured(20, 100, 1.1));
  }

  @Test
  void reason_fewDatagrams_allowsWhatChanceExplains() {
    Calibration few = new Calibration(20, 20, 100, 100, "udp", 1.2, 10_000);

    assertReason(null, ASKED, few, few);
  }

  @Test
  void reason_moreThanAMachineCan_isNone() {
    Network fast = new Network("lan", 0.2, 10_000.0, 0, 1 << 20, null);
    Calibration slow = new Calibration(0.29, 2, 100, 4_000, "tcp", 0, 10_000);

    assertReason(null, fast, slow, slow);
  }

  @Test
  void reason_notMeasuredAfterTheRows_saysSo() {
    assertReason("the network was not measured after the rows", ASKED, GOOD);
    assertThat(CalibrationCheck.reason(ASKED, List.of(GOOD), false)).isNull();
  }
}
