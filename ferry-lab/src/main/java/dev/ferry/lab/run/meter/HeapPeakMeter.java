package dev.ferry.lab.run.meter;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;

/**
 * Measures the peak heap use, including garbage that is not collected yet. It is the sum of the
 * peaks of the generations, which the JVM records.
 */
public final class HeapPeakMeter {
  private final List<MemoryPoolMXBean> pools =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(p -> p.getType() == MemoryType.HEAP)
          .toList();

  /** Starts a new measurement. */
  public void start() {
    pools.forEach(MemoryPoolMXBean::resetPeakUsage);
  }

  /** Returns the highest number of bytes since the start. */
  public long stop() {
    return pools.stream().mapToLong(p -> p.getPeakUsage().getUsed()).sum();
  }
}
