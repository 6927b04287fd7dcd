package dev.ferry.lab.run;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * CPU time of the whole process, between two readings.
 *
 * <p>The process clock of JDK 17 ticks in 10 ms, as long as a transfer: on Linux the scheduler's
 * own account of each thread is read instead. It is exact for threads that wait, and up to a tick
 * of the kernel (1 to 4 ms) late for one that is running. Both readings must be made by one thread.
 * A thread that ends between two readings takes what it used since the first one with it.
 */
final class CpuMeter {
  private static final Path TASKS = Path.of("/proc/self/task");
  private static final Path OWN = Path.of("/proc/thread-self");

  private final OperatingSystemMXBean os =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private final boolean scheduler = Files.isReadable(OWN.resolve("schedstat"));

  /**
   * What the process had used at one moment.
   *
   * @param byThread nanoseconds by thread; one entry for the process where threads are not known
   */
  record Reading(Map<String, Long> byThread) {
    /** Nanoseconds used since an earlier reading. */
    long since(Reading earlier) {
      return byThread.entrySet().stream()
          .mapToLong(e -> e.getValue() - earlier.byThread.getOrDefault(e.getKey(), 0L))
          .sum();
    }
  }

  /** Reads the calling thread last, so that the reading itself is not in what comes after. */
  Reading readBefore() {
    Map<String, Long> byThread = new HashMap<>();
    readOthers(byThread);
    readOwn(byThread);
    return new Reading(byThread);
  }

  /** Reads the calling thread first, so that the reading itself is not in what went before. */
  Reading readAfter() {
    Map<String, Long> byThread = new HashMap<>();
    readOwn(byThread);
    readOthers(byThread);
    return new Reading(byThread);
  }

  private void readOwn(Map<String, Long> byThread) {
    if (scheduler) {
      readTask(OWN, "own", byThread);
    } else {
      byThread.put("process", os.getProcessCpuTime());
    }
  }

  private void readOthers(Map<String, Long> byThread) {
    if (!scheduler) {
      return;
    }
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
      String own = String.valueOf(OWN.toRealPath().getFileName());
      for (Path task : tasks) {
        String thread = String.valueOf(task.getFileName());
        if (!thread.equals(own)) {
          readTask(task, thread, byThread);
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(TASKS + " cannot be read", e);
    }
  }

  private static void readTask(Path task, String thread, Map<String, Long> byThread) {
    try {
      String text = Files.readString(task.resolve("schedstat"));
      byThread.put(thread, Long.parseLong(text.substring(0, text.indexOf(' '))));
    } catch (IOException e) {
      // It ended since the folder was listed.
      byThread.remove(thread);
    }
  }
}
