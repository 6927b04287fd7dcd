package dev.ferry.lab.model;

import org.jspecify.annotations.Nullable;

/**
 * A row compared with another one. Each ratio is a figure of the row divided by that of the other
 * row, estimated from forks.
 *
 * @param with the method of the other row
 * @param verdict the verdict on the times
 * @param reason why the rows cannot be compared, or what limits the verdict; null if there is
 *     nothing to say
 * @param time the ratio of the times; null if the rows cannot be compared, or one has too few forks
 *     for an interval ({@link Criteria#LEAST_FORKS})
 * @param cpu the ratio of the CPU times; null if not known
 * @param heap the ratio of the allocated heap; null if not known or if one of them is 0
 * @param furtherForks the estimated number of further forks of each row that would decide, or with
 *     too few forks the number that a verdict needs at least; null if the verdict is decided, or if
 *     no number of forks would decide
 */
public record Comparison(
    String with,
    Verdict verdict,
    @Nullable String reason,
    @Nullable Interval time,
    @Nullable Interval cpu,
    @Nullable Interval heap,
    @Nullable Integer furtherForks) {
  public Comparison {
    if (verdict.decided() && time == null) {
      throw new IllegalArgumentException("nothing has decided that a row is " + verdict.label());
    }
  }
}
