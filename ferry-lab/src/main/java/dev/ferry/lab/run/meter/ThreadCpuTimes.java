package dev.ferry.lab.run.meter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Reads a per-thread figure of this process from the {@code /proc} file system of Linux. One thread
 * must make both readings of an interval. If a thread ends between two readings, its figure since
 * the first reading is lost.
 */
public final class ThreadCpuTimes {
  private final String file;
  private final Function<String, OptionalLong> figure;
  private final boolean known;

  /**
   * Prepares readings.
   *
   * @param file the name of the file in the folder of a thread
   * @param figure extracts the figure from the content of the file; empty if it is absent
   */
  public ThreadCpuTimes(String file, Function<String, OptionalLong> figure) {
    this.file = file;
    this.figure = figure;
    this.known = Files.isReadable(ThreadList.OWN.resolve(file));
  }

  /**
   * The figures at one moment.
   *
   * @param byThread the figure by thread; a single entry for the process if threads are not known
   */
  public record Reading(Map<String, Long> byThread) {
    /** Returns the difference from an earlier reading. */
    long since(Reading earlier) {
      return byThread.entrySet().stream()
          .mapToLong(e -> e.getValue() - earlier.byThread.getOrDefault(e.getKey(), 0L))
          .sum();
    }
  }

  /** Returns whether this system has such files. */
  public boolean known() {
    return known;
  }

  /**
   * Reads the calling thread last, so that the reading itself is not included in the measured
   * interval.
   */
  public Reading readBefore(ThreadList threads) {
    Map<String, Long> byThread = new HashMap<>();
    threads.others().forEach((thread, task) -> read(task, thread, byThread));
    read(ThreadList.OWN, "own", byThread);
    return new Reading(byThread);
  }

  /**
   * Reads the calling thread first, so that the reading itself is not included in the measured
   * interval.
   */
  public Reading readAfter(ThreadList threads) {
    Map<String, Long> byThread = new HashMap<>();
    read(ThreadList.OWN, "own", byThread);
    threads.others().forEach((thread, task) -> read(task, thread, byThread));
    return new Reading(byThread);
  }

  private void read(Path task, String thread, Map<String, Long> byThread) {
    try {
      OptionalLong value = figure.apply(Files.readString(task.resolve(file)));
      value.ifPresent(v -> byThread.put(thread, v));
    } catch (IOException e) {
      // The thread ended after the threads were listed.
      byThread.remove(thread);
    }
  }
}
