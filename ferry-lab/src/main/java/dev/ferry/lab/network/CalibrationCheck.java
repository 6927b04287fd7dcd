package dev.ferry.lab.network;

import dev.ferry.lab.model.RootText;
import dev.ferry.lab.model.network.Calibration;
import dev.ferry.lab.model.network.Network;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides whether a network was what it was asked to be. */
final class CalibrationCheck {
  private static final double TOLERANCE = 0.05;

  /** No machine delivers a packet more precisely than its processors wake up. */
  private static final double LEAST_MILLIS = 0.1;

  /** A machine may not reach higher rates, which are limits then. */
  private static final double MOST_MBIT = 1_000;

  /** What may be lost without being asked for, in percent. */
  private static final double LEAST_LOSS = 0.01;

  private static final double STANDARD_DEVIATIONS = 3;
  private static final double PERCENT = 100;

  private CalibrationCheck() {}

  /**
   * Returns why a run over the network decides nothing; null if the network was as asked.
   *
   * @param ended whether the rows have ended, so that there is a calibration after them
   */
  static @Nullable String reason(Network asked, List<Calibration> calibrations, boolean ended) {
    for (int i = 0; i < calibrations.size(); i++) {
      String reason = reason(asked, calibrations.get(i));
      if (reason != null) {
        return "the network was not as asked: %s the rows, %s"
            .formatted(i == 0 ? "before" : "after", reason);
      }
    }
    return ended && calibrations.size() < 2 ? "the network was not measured after the rows" : null;
  }

  private static @Nullable String reason(Network asked, Calibration measured) {
    double rtt = measured.rttP50Millis();
    if (Math.abs(rtt - asked.rttMillis()) > Math.max(LEAST_MILLIS, TOLERANCE * asked.rttMillis())) {
      return RootText.format("the RTT was %.2f ms and not %.2f", rtt, asked.rttMillis());
    }
    Double rate = asked.rateMbit();
    if (rate != null
        && rate <= MOST_MBIT
        && Math.abs(measured.rateMbit() - rate) > TOLERANCE * rate) {
      return RootText.format("the rate was %.1f Mbit/s and not %.1f", measured.rateMbit(), rate);
    }
    double part = asked.lossPercent() / PERCENT;
    double deviation = PERCENT * Math.sqrt(part * (1 - part) / Math.max(1, measured.datagrams()));
    double tolerance =
        Math.max(
            LEAST_LOSS, Math.max(TOLERANCE * asked.lossPercent(), STANDARD_DEVIATIONS * deviation));
    return Math.abs(measured.lossPercent() - asked.lossPercent()) > tolerance
        ? RootText.format(
            "the loss was %.3f %% and not %.3f", measured.lossPercent(), asked.lossPercent())
        : null;
  }
}
