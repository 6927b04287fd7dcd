package dev.ferry.load;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The time of processors that this process uses. Used by one thread at a time. */
public final class CpuMeter {
  private final int cores = Runtime.getRuntime().availableProcessors();
  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private long beginCpu = system.getProcessCpuTime();
  private long beginNanos = System.nanoTime();

  /** Begins anew. */
  public void begin() {
    beginCpu = system.getProcessCpuTime();
    beginNanos = System.nanoTime();
  }

  /** Processors of the machine. */
  public int cores() {
    return cores;
  }

  /** The time of all processors that was used since the beginning, from 0 to 1. */
  public double share() {
    double all = (double) cores * Math.max(1, System.nanoTime() - beginNanos);
    return Math.min(1, Math.max(0, (system.getProcessCpuTime() - beginCpu) / all));
  }
}
