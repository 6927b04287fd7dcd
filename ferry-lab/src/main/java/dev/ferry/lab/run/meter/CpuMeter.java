package dev.ferry.lab.run.meter;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Measures the CPU time of the whole process between two readings.
 *
 * <p>The process clock of JDK 17 has a resolution of 10 ms, which is as long as a transfer. On
 * Linux, the scheduler's account of each thread is read instead. It is exact for waiting threads
 * and up to one kernel tick (1 to 4 ms) late for running threads. One thread must make both
 * readings.
 */
public final class CpuMeter {
  private final OperatingSystemMXBean os =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private final ThreadCpuTimes accounts = new ThreadCpuTimes("schedstat", CpuMeter::nanos);

  private static OptionalLong nanos(String schedstat) {
    return OptionalLong.of(Long.parseLong(schedstat.substring(0, schedstat.indexOf(' '))));
  }

  /**
   * Reads the calling thread last, so that the reading itself is not included in the measured
   * interval.
   */
  public ThreadCpuTimes.Reading readBefore(ThreadList threads) {
    return accounts.known() ? accounts.readBefore(threads) : process();
  }

  /**
   * Reads the calling thread first, so that the reading itself is not included in the measured
   * interval.
   */
  public ThreadCpuTimes.Reading readAfter(ThreadList threads) {
    return accounts.known() ? accounts.readAfter(threads) : process();
  }

  private ThreadCpuTimes.Reading process() {
    return new ThreadCpuTimes.Reading(Map.of("process", os.getProcessCpuTime()));
  }
}
