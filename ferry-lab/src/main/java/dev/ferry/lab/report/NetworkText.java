package dev.ferry.lab.report;

import dev.ferry.lab.model.RootText;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.network.Calibration;
import dev.ferry.lab.model.network.NetworkRun;
import dev.ferry.lab.model.network.WireCounters;
import java.util.ArrayList;
import java.util.List;

/** Describes the network of a run in a few lines. */
final class NetworkText {
  private static final double PERCENT = 100;
  private static final double NANOS = 1e9;

  private NetworkText() {}

  /** Returns the lines; none for the loopback. */
  static List<String> lines(RunDocument run) {
    NetworkRun network = run.network();
    if (network == null) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    lines.add(
        "Network %s; congestion control %s, segments %s%s"
            .formatted(
                network.asked(),
                network.congestion(),
                network.offload() ? "of up to 64 KiB (offload)" : "of one packet each (no offload)",
                network.freshConnections()
                    ? ""
                    : "; connections inherit what the kernel learned by earlier ones"));
    int last = network.calibrations().size() - 1;
    for (int i = 0; i <= last; i++) {
      String when = i == 0 ? "before" : run.complete() && i == last ? "after" : "when resumed";
      lines.add(calibration(when, network.calibrations().get(i)));
    }
    WireCounters wire = network.wire();
    if (wire != null) {
      lines.add(counters(wire));
    }
    if (network.reason() != null) {
      lines.add("NO VERDICTS: " + network.reason());
    }
    return lines;
  }

  private static String calibration(String when, Calibration c) {
    return RootText.format(
        "Network %s, by bare sockets: RTT p50 %.2f ms, p99 %.2f ms (%d pings); %.1f Mbit/s (%s);"
            + " loss %.3f %% of %,d datagrams",
        when,
        c.rttP50Millis(),
        c.rttP99Millis(),
        c.pings(),
        c.rateMbit(),
        c.rateBy(),
        c.lossPercent(),
        c.datagrams());
  }

  private static String counters(WireCounters wire) {
    return RootText.format(
        "Network in all: %.1f s of CPU (%.1f %% of a core); %s; %s",
        wire.cpuNanos() / NANOS,
        PERCENT * wire.cpuNanos() / wire.elapsedNanos(),
        sent("client", wire.client()),
        sent("server", wire.server()));
  }

  private static String sent(String end, WireCounters.Sent sent) {
    return RootText.format(
        "from the %s %,d segments, %,d lost, %,d dropped at a full queue, %s sent again",
        end,
        sent.segments(),
        sent.lost(),
        sent.overflowed() + sent.refused(),
        sent.retransmitted() < 0 ? "unknown" : RootText.format("%,d", sent.retransmitted()));
  }
}
