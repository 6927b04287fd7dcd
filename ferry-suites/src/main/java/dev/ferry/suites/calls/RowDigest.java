package dev.ferry.suites.calls;

import dev.ferry.suites.calls.service.CallClient.RowVisitor;
import dev.ferry.suites.calls.service.DataRows;

/** Counts rows, and sums them up in a way that depends on their order. For one thread at a time. */
final class RowDigest implements RowVisitor {
  private static final long FACTOR = 0x100000001B3L;

  private long count;
  private long sum;

  /** Of the first rows there are. */
  static RowDigest of(DataRows rows, long count) {
    RowDigest digest = new RowDigest();
    for (long i = 0; i < count; i++) {
      digest.row(rows.number(i), rows.name(i));
    }
    return digest;
  }

  @Override
  public void row(long number, String name) {
    count++;
    sum = (sum * FACTOR + number) * FACTOR + name.hashCode();
  }

  boolean sameAs(RowDigest other) {
    return count == other.count && sum == other.sum;
  }

  @Override
  public String toString() {
    return "%,d rows of digest %016x".formatted(count, sum);
  }
}
