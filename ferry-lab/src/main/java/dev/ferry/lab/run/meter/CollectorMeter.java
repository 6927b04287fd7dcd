package dev.ferry.lab.run.meter;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * Counts garbage collections by generation. It knows the names of the JDK's generational
 * collectors.
 */
public final class CollectorMeter {
  private final List<GarbageCollectorMXBean> all = ManagementFactory.getGarbageCollectorMXBeans();

  /** Returns the number of collections of the young generation. */
  public long young() {
    return count(false);
  }

  /** Returns the number of collections of the old generation or of the whole heap. */
  public long old() {
    return count(true);
  }

  private long count(boolean old) {
    return all.stream()
        .filter(c -> isOld(c.getName()) == old)
        .mapToLong(c -> Math.max(0, c.getCollectionCount()))
        .sum();
  }

  private static boolean isOld(String name) {
    return name.contains("Old") || name.contains("MarkSweep");
  }
}
