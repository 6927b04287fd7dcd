package dev.ferry.suites.calls;

import dev.ferry.calls.Backend;
import dev.ferry.calls.CallClient.RowVisitor;
import dev.ferry.calls.Rows;
import dev.ferry.lab.suite.Operation;
import java.io.IOException;

/**
 * Reads rows, as often per sample as its load says. What is timed looks at every row; whether each
 * was right is seen after a sample, with one reading more.
 */
final class RowsTask implements Operation {
  private final RowReader reader;
  private final long count;
  private final String protocol;
  private final Glance glance = new Glance();
  private final long rightSum;
  private final RowDigest right;

  /** Looks at every row, as whoever asked for it would, and keeps none. */
  private static final class Glance implements RowVisitor {
    private long count;
    private long mixed;

    @Override
    public void row(long number, String name) {
      count++;
      mixed += number + name.length();
    }
  }

  /** Takes over the reader, and closes it. */
  RowsTask(RowReader reader, long count, String protocol) {
    this.reader = reader;
    this.count = count;
    this.protocol = protocol;
    Rows rows = new Rows(Backend.SEED);
    this.rightSum = sum(rows, count);
    this.right = RowDigest.of(rows, count);
  }

  @Override
  public void prepare() {
    glance.count = 0;
    glance.mixed = 0;
  }

  @Override
  public void run(int worker, int operation) throws IOException {
    reader.read(count, glance);
  }

  @Override
  public Outcome outcome() {
    return Outcome.identity(0, protocol);
  }

  @Override
  public void checkAll(int operations) throws IOException {
    long expected = count * operations;
    if (glance.count != expected) {
      throw new IOException(
          "%,d rows came in %d calls, not %,d".formatted(glance.count, operations, expected));
    }
    if (glance.mixed != operations * rightSum) {
      throw new IOException("the numbers and names are not those of the seed");
    }
    RowDigest got = new RowDigest();
    reader.read(count, got);
    if (!got.sameAs(right)) {
      throw new IOException("came " + got + ", not " + right);
    }
  }

  /** What the visitor makes of the right rows. */
  private static long sum(Rows rows, long count) {
    Glance right = new Glance();
    for (long i = 0; i < count; i++) {
      right.row(rows.number(i), rows.name(i));
    }
    return right.mixed;
  }

  @Override
  public void close() {
    reader.close();
  }
}
