package dev.ferry.lab.run.meter;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.OptionalLong;

/**
 * CPU time of the whole process, between two readings.
 *
 * <p>The process clock of JDK 17 ticks in 10 ms, as long as a transfer: on Linux the scheduler's
 * own account of each thread is read instead. It is exact for threads that wait, and up to a tick
 * of the kernel (1 to 4 ms) late for one that is running. Both readings must be made by one thread.
 */
public final class CpuMeter {
  private final OperatingSystemMXBean os =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private final ThreadCpuTimes accounts = new ThreadCpuTimes("schedstat", CpuMeter::nanos);

  private static OptionalLong nanos(String schedstat) {
    return OptionalLong.of(Long.parseLong(schedstat.substring(0, schedstat.indexOf(' '))));
  }

  /** Reads the calling thread last, so that the reading itself is not in what comes after. */
  public ThreadCpuTimes.Reading readBefore(ThreadList threads) {
    return accounts.known() ? accounts.readBefore(threads) : process();
  }

  /** Reads the calling thread first, so that the reading itself is not in what went before. */
  public ThreadCpuTimes.Reading readAfter(ThreadList threads) {
    return accounts.known() ? accounts.readAfter(threads) : process();
  }

  private ThreadCpuTimes.Reading process() {
    return new ThreadCpuTimes.Reading(Map.of("process", os.getProcessCpuTime()));
  }
}
