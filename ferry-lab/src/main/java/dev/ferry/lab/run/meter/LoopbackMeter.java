package dev.ferry.lab.run.meter;

import dev.ferry.lab.network.DeviceCounters;
import dev.ferry.lab.network.WireEnds;
import java.io.IOException;

/**
 * Counts the bytes that pass between the two ends, in both directions, by the kernel's counter of
 * the network device: the loopback, or the device of a wire. They include payload, framing, TLS,
 * and the headers of TCP and IP, which are few since the device has large segments. What other
 * programs send over the loopback at the same time counts as well. Used by one thread.
 */
public final class LoopbackMeter {
  private static final String LOOPBACK = "lo";
  private static final long UNKNOWN = -1;

  private final boolean wire = WireEnds.ofFork() != null;
  private long before = UNKNOWN;

  /** Begins to count. */
  public void start() {
    before = transferred();
  }

  /** Returns the bytes since the start; -1 if the system does not count them. */
  public long stop() {
    long now = transferred();
    return before < 0 || now < 0 ? UNKNOWN : now - before;
  }

  /** Returns the bytes that have ever passed; -1 if the system does not count them. */
  private long transferred() {
    try {
      // What is sent to the loopback is also received from it.
      DeviceCounters counters = DeviceCounters.read(wire ? WireEnds.DEVICE : LOOPBACK);
      return counters.receivedBytes() + (wire ? counters.sentBytes() : 0);
    } catch (IOException e) {
      // The system has no such file, which is so before and after each sample.
      return UNKNOWN;
    }
  }
}
