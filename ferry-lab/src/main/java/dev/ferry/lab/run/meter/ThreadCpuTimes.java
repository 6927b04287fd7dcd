package dev.ferry.lab.run.meter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * What Linux counts of each thread of this process, in a file of {@code /proc} that each has. Both
 * readings around something must be made by one thread. A thread that ends between two readings
 * takes what it counted since the first one with it.
 */
public final class ThreadCpuTimes {
  private final String file;
  private final Function<String, OptionalLong> figure;
  private final boolean known;

  /**
   * Prepares readings.
   *
   * @param file its name
   * @param figure the figure in its text; empty where it has none
   */
  public ThreadCpuTimes(String file, Function<String, OptionalLong> figure) {
    this.file = file;
    this.figure = figure;
    this.known = Files.isReadable(ThreadList.OWN.resolve(file));
  }

  /**
   * What was counted at one moment.
   *
   * @param byThread by thread; one entry for the process where threads are not known
   */
  public record Reading(Map<String, Long> byThread) {
    /** What was counted since an earlier reading. */
    long since(Reading earlier) {
      return byThread.entrySet().stream()
          .mapToLong(e -> e.getValue() - earlier.byThread.getOrDefault(e.getKey(), 0L))
          .sum();
    }
  }

  /** Whether this system has such files. */
  public boolean known() {
    return known;
  }

  /** Reads the calling thread last, so that the reading itself is not in what comes after. */
  public Reading readBefore(ThreadList threads) {
    Map<String, Long> byThread = new HashMap<>();
    threads.others().forEach((thread, task) -> read(task, thread, byThread));
    read(ThreadList.OWN, "own", byThread);
    return new Reading(byThread);
  }

  /** Reads the calling thread first, so that the reading itself is not in what went before. */
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
      // It ended since the threads were listed.
      byThread.remove(thread);
    }
  }
}
