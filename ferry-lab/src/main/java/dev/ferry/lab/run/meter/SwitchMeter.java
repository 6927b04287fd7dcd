package dev.ferry.lab.run.meter;

import java.util.Map;
import java.util.OptionalLong;

/**
 * Counts the voluntary context switches of the threads of this process if the system reports them.
 * They are most of the cost of a small call.
 */
public final class SwitchMeter {
  private static final String FIELD = "\nvoluntary_ctxt_switches:";

  /**
   * The thread of the {@link DirectMemoryMeter}, identified by the first 15 characters of its name.
   * It is not counted.
   */
  private static final String METER = "Name:\tferry-direct-me";

  private final ThreadCpuTimes accounts = new ThreadCpuTimes("status", SwitchMeter::switches);
  private ThreadCpuTimes.Reading before = new ThreadCpuTimes.Reading(Map.of());

  private static OptionalLong switches(String status) {
    if (status.startsWith(METER)) {
      return OptionalLong.empty();
    }
    int field = status.indexOf(FIELD);
    if (field < 0) {
      return OptionalLong.empty();
    }
    int from = field + FIELD.length();
    int end = status.indexOf('\n', from);
    return OptionalLong.of(
        Long.parseLong(status.substring(from, end < 0 ? status.length() : end).strip()));
  }

  public void start(ThreadList threads) {
    if (accounts.known()) {
      before = accounts.readBefore(threads);
    }
  }

  /** Returns the number since the start; -1 if the system does not report it. */
  public long stop(ThreadList threads) {
    return accounts.known() ? accounts.readAfter(threads).since(before) : -1;
  }
}
