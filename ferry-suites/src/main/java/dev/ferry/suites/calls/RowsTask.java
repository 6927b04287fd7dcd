package dev.ferry.suites.calls;

import dev.ferry.lab.suite.Operation;
import dev.ferry.suites.calls.service.Backend;
import dev.ferry.suites.calls.service.CallClient.RowVisitor;
import dev.ferry.suites.calls.service.DataRows;
import java.io.IOException;

/**
 * Gets rows. The timed call reads every row. One more call after a sample checks that each row is
 * right.
 */
final class RowsTask implements Operation {
  private final Invoker<Long, RowVisitor> reader;
  private final long count;
  private final String protocol;
  private final Checksum checksum = new Checksum();
  private final long expectedSum;
  private final DataRows rows = new DataRows(Backend.SEED);

  /** Reads every row, as a caller would, and keeps none. */
  private static final class Checksum implements RowVisitor {
    private long count;
    private long mixed;

    @Override
    public void row(long number, String name) {
      count++;
      mixed += number + name.length();
    }
  }

  /** Compares each row with the one of the seed, and keeps none. */
  private final class Comparison implements RowVisitor {
    private long count;
    private boolean equal = true;

    @Override
    public void row(long number, String name) {
      equal &= number == rows.number(count) && name.equals(rows.name(count));
      count++;
    }
  }

  /** Takes over the reader, and closes it. */
  RowsTask(Invoker<Long, RowVisitor> reader, long count, String protocol) {
    this.reader = reader;
    this.count = count;
    this.protocol = protocol;
    Checksum right = new Checksum();
    for (long i = 0; i < count; i++) {
      right.row(rows.number(i), rows.name(i));
    }
    this.expectedSum = right.mixed;
  }

  @Override
  public void prepare() {
    checksum.count = 0;
    checksum.mixed = 0;
  }

  @Override
  public void run(int worker, int operation) throws IOException {
    reader.call(count, checksum);
  }

  @Override
  public Outcome outcome() {
    return Outcome.identity(0, protocol);
  }

  @Override
  public void checkAll(int operations) throws IOException {
    long expected = count * operations;
    if (checksum.count != expected) {
      throw new IOException(
          "%,d rows came in %d calls, not %,d".formatted(checksum.count, operations, expected));
    }
    if (checksum.mixed != operations * expectedSum) {
      throw new IOException("the numbers and names are not those of the seed");
    }
    Comparison got = new Comparison();
    reader.call(count, got);
    if (got.count != count || !got.equal) {
      throw new IOException("%,d rows came that are not those of the seed".formatted(got.count));
    }
  }

  @Override
  public void close() {
    reader.close();
  }
}
