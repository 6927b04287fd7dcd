package dev.ferry.lab.run.meter;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Measures the CPU time, the run delay and the context switches of this process between two
 * readings, without those of the JIT compiler's threads.
 *
 * <p>The process clock of JDK 17 has a resolution of 10 ms, which is as long as a transfer. On
 * Linux, the scheduler's account of each thread is read instead. It is exact for waiting threads
 * and up to one kernel tick (1 to 4 ms) late for running threads. If a thread ends between two
 * readings, its figures since the first reading are lost. On other systems only the CPU time is
 * known, and it includes the compiler. Used by one thread.
 */
public final class ThreadMeter {
  private static final Path TASKS = Path.of("/proc/self/task");

  /** The folder of the thread that reads it. */
  private static final Path OWN = Path.of("/proc/thread-self");

  private static final String VOLUNTARY = "\nvoluntary_ctxt_switches:";
  private static final String INVOLUNTARY = "\nnonvoluntary_ctxt_switches:";
  private static final boolean KNOWN = isKnown();

  /** Linux keeps the first 15 characters of a name: {@code C2 CompilerThread0}. */
  private static final String COMPILER = " CompilerThre";

  /** The thread of the {@link DirectMemoryMeter}. It is not the row's. */
  private static final String METER = "ferry-direct-me";

  private final OperatingSystemMXBean os =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private Map<String, Account> before = Map.of();
  private long processBefore;

  /** The figures of one thread so far. Times are in nanoseconds. */
  private record Account(String name, long cpu, long delay, long voluntary, long involuntary) {
    static final Account NONE = new Account("", 0, 0, 0, 0);
  }

  /**
   * The figures of a process between two readings. Figures other than the CPU time are -1 if the
   * system does not report them.
   *
   * @param cpuNanos the CPU time in nanoseconds
   * @param compilerNanos the CPU time of the compiler's threads in nanoseconds
   * @param delayNanos the time in nanoseconds that threads were ready to run but had no processor
   * @param voluntary how often threads gave up the processor to wait
   * @param involuntary how often another thread took the processor from one
   */
  public record Figures(
      long cpuNanos, long compilerNanos, long delayNanos, long voluntary, long involuntary) {}

  /** Returns whether the system has all that is read. Systems that imitate Linux have less. */
  private static boolean isKnown() {
    try {
      String status = Files.readString(OWN.resolve("status"));
      return status.contains(VOLUNTARY)
          && status.contains(INVOLUNTARY)
          && Files.isReadable(OWN.resolve("schedstat"));
    } catch (IOException e) {
      // It is not Linux.
      return false;
    }
  }

  /**
   * Begins. The calling thread is read last, so that the reading itself is not included in the
   * measured interval.
   */
  public void start() {
    if (KNOWN) {
      Map<String, Account> accounts = new HashMap<>();
      readOthers(accounts);
      read(OWN, "own", accounts);
      before = accounts;
    } else {
      processBefore = os.getProcessCpuTime();
    }
  }

  /** Returns the figures since the start. The calling thread is read first. */
  public Figures stop() {
    if (!KNOWN) {
      return new Figures(os.getProcessCpuTime() - processBefore, -1, -1, -1, -1);
    }
    Map<String, Account> accounts = new HashMap<>();
    read(OWN, "own", accounts);
    readOthers(accounts);
    long cpu = 0;
    long compiler = 0;
    long delay = 0;
    long voluntary = 0;
    long involuntary = 0;
    for (Map.Entry<String, Account> entry : accounts.entrySet()) {
      Account now = entry.getValue();
      Account then = before.getOrDefault(entry.getKey(), Account.NONE);
      if (now.name().endsWith(COMPILER)) {
        compiler += now.cpu() - then.cpu();
      } else {
        cpu += now.cpu() - then.cpu();
        if (!now.name().equals(METER)) {
          delay += now.delay() - then.delay();
          voluntary += now.voluntary() - then.voluntary();
          involuntary += now.involuntary() - then.involuntary();
        }
      }
    }
    return new Figures(cpu, compiler, delay, voluntary, involuntary);
  }

  /**
   * Returns the nanoseconds that the compiler has worked so far. If they stand still, it has
   * nothing to do. A compiler thread that ends takes its time with it.
   *
   * <p>The JVM's own account, which is returned on systems other than Linux, advances only when a
   * compilation ends, which takes up to a second.
   *
   * @throws UnsupportedOperationException if the JVM has a compiler and does not tell
   */
  public static long compilerNanos() {
    if (!KNOWN) {
      CompilationMXBean jvm = ManagementFactory.getCompilationMXBean();
      return jvm == null ? 0 : TimeUnit.MILLISECONDS.toNanos(jvm.getTotalCompilationTime());
    }
    long[] sum = {0};
    forEachTask(
        task -> {
          if (text(task.resolve("comm")).strip().endsWith(COMPILER)) {
            sum[0] += schedstat(task, 0);
          }
        });
    return sum[0];
  }

  /**
   * Returns the CPU time in nanoseconds of the first thread of another process so far; empty if the
   * process has ended, or if the system does not report it.
   */
  public static OptionalLong cpuNanos(long pid) {
    try {
      return OptionalLong.of(schedstat(Path.of("/proc", Long.toString(pid)), 0));
    } catch (IOException e) {
      // Both look the same.
      return OptionalLong.empty();
    }
  }

  private static void readOthers(Map<String, Account> accounts) {
    String own = ownThread();
    forEachTask(
        task -> {
          String thread = String.valueOf(task.getFileName());
          if (!thread.equals(own)) {
            read(task, thread, accounts);
          }
        });
  }

  private static void read(Path task, String thread, Map<String, Account> accounts) {
    try {
      String status = text(task.resolve("status"));
      String[] times = text(task.resolve("schedstat")).split(" ", -1);
      accounts.put(
          thread,
          new Account(
              field(status, "Name:"),
              Long.parseLong(times[0]),
              Long.parseLong(times[1]),
              Long.parseLong(field(status, VOLUNTARY)),
              Long.parseLong(field(status, INVOLUNTARY))));
    } catch (IOException e) {
      // The thread ended after the threads were listed.
      accounts.remove(thread);
    }
  }

  private static long schedstat(Path task, int field) throws IOException {
    return Long.parseLong(text(task.resolve("schedstat")).split(" ", -1)[field]);
  }

  /** Returns a file of the kernel. {@link Files#readString} would begin with a read of one byte. */
  static String text(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String field(String status, String name) {
    int from = status.indexOf(name);
    int end = status.indexOf('\n', from + 1);
    return status.substring(from + name.length(), end < 0 ? status.length() : end).strip();
  }

  private static String ownThread() {
    try {
      return String.valueOf(OWN.toRealPath().getFileName());
    } catch (IOException e) {
      throw new IllegalStateException(OWN + " cannot be read", e);
    }
  }

  @FunctionalInterface
  private interface Visit {
    void to(Path task) throws IOException;
  }

  private static void forEachTask(Visit visit) {
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
      for (Path task : tasks) {
        try {
          visit.to(task);
        } catch (IOException e) {
          // The thread ended after the threads were listed.
          continue;
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(TASKS + " cannot be read", e);
    }
  }
}
