package dev.ferry.lab.run.meter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Measures how long the processors of the machine were busy, by {@code /proc/stat} of Linux. Its
 * resolution is 10 ms, so only the sum of several samples has a meaning. Used by one thread.
 *
 * <p>Busy is what is neither idle nor stolen: Linux measures idle time exactly, but busy time only
 * by what runs at its ticks.
 */
final class MachineMeter {
  private static final Path STAT = Path.of("/proc/stat");
  private static final boolean KNOWN = Files.isReadable(STAT);

  /** The unit of the file. It is 10 ms on every platform of the JDK. */
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /**
   * The fields of a line, after its name: user, nice, system, idle, iowait, irq, softirq, steal.
   */
  private static final int IDLE = 3;

  private static final int IO_WAIT = 4;
  private static final int STEAL = 7;

  /** The start of the line of the machine, which is the first one. */
  private static final String ALL = "cpu  ";

  /** The start of the line of a processor. */
  private static final String CPU = "\ncpu";

  private Reading before = Reading.UNKNOWN;

  /** What the file said at a time. */
  record Reading(long nanos, int processors, long idle, long steal) {
    static final Reading UNKNOWN = new Reading(0, 0, 0, 0);
  }

  /**
   * The figures of the machine between two readings; -1 if the system does not report them.
   *
   * @param busyNanos the sum over the processors of the time in which they ran something
   * @param stealNanos the time that the processors were ready to run but the hypervisor ran others
   */
  record Figures(long busyNanos, long stealNanos) {
    static final Figures UNKNOWN = new Figures(-1, -1);
  }

  void start() {
    before = read();
  }

  Figures stop() {
    return between(before, read());
  }

  /** Returns the figures of the time between two readings. */
  static Figures between(Reading before, Reading now) {
    if (before.processors() == 0 || now.processors() == 0) {
      return Figures.UNKNOWN;
    }
    long steal = now.steal() - before.steal();
    long all = now.processors() * (now.nanos() - before.nanos());
    return new Figures(Math.max(0, all - (now.idle() - before.idle()) - steal), steal);
  }

  private static Reading read() {
    if (!KNOWN) {
      return Reading.UNKNOWN;
    }
    try {
      long now = System.nanoTime();
      return parse(ThreadMeter.text(STAT), now);
    } catch (IOException e) {
      // A fork logs nothing; the figures of the sample are unknown.
      return Reading.UNKNOWN;
    }
  }

  /**
   * Parses the file.
   *
   * @param nanos the time at which it was read
   */
  static Reading parse(String stat, long nanos) {
    String[] fields = stat.substring(ALL.length(), stat.indexOf('\n')).split(" ", -1);
    int processors = 0;
    for (int i = stat.indexOf(CPU); i >= 0; i = stat.indexOf(CPU, i + 1)) {
      processors++;
    }
    long idle = Long.parseLong(fields[IDLE]) + Long.parseLong(fields[IO_WAIT]);
    return new Reading(
        nanos, processors, idle * TICK_NANOS, Long.parseLong(fields[STEAL]) * TICK_NANOS);
  }
}
