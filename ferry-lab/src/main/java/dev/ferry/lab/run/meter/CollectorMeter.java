package dev.ferry.lab.run.meter;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * Counts garbage collections by generation. It knows the names of the JDK's collectors. A cycle of
 * a collector without generations collects the whole heap.
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
        .filter(c -> isCounted(c.getName()) && isOld(c.getName()) == old)
        .mapToLong(c -> Math.max(0, c.getCollectionCount()))
        .sum();
  }

  /** The pauses of a concurrent collector belong to its cycles, which are counted. */
  static boolean isCounted(String name) {
    return !name.contains("Pauses") && !name.equals("G1 Concurrent GC");
  }

  static boolean isOld(String name) {
    return name.contains("Old")
        || name.contains("MarkSweep")
        || (name.endsWith("Cycles") && !name.contains("Minor"));
  }
}
