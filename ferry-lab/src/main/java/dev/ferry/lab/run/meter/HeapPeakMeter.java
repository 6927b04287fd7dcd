package dev.ferry.lab.run.meter;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;

/**
 * The most heap in use, garbage that is not collected yet included: the sum of the peaks of the
 * generations, which the JVM itself keeps.
 */
public final class HeapPeakMeter {
  private final List<MemoryPoolMXBean> pools =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(p -> p.getType() == MemoryType.HEAP)
          .toList();

  /** Begins a new peak. */
  public void start() {
    pools.forEach(MemoryPoolMXBean::resetPeakUsage);
  }

  /** The most bytes since the start. */
  public long stop() {
    return pools.stream().mapToLong(p -> p.getPeakUsage().getUsed()).sum();
  }
}
