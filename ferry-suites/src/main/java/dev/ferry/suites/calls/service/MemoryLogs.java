package dev.ferry.suites.calls.service;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Log records in memory: all are counted, the last ones are kept. Thread-safe. */
public final class MemoryLogs {
  private final AtomicReferenceArray<Kept> last;
  private final AtomicLong next = new AtomicLong();

  private record Kept(long number, LogRecord record) {}

  /**
   * Creates an empty log.
   *
   * @param kept number of records to keep, at least 1
   */
  public MemoryLogs(int kept) {
    if (kept < 1) {
      throw new IllegalArgumentException("a log that keeps " + kept + " records");
    }
    last = new AtomicReferenceArray<>(kept);
  }

  /** Keeps a record; gives its number, from 0. */
  public long append(LogRecord record) {
    long number = next.getAndIncrement();
    last.set((int) (number % last.length()), new Kept(number, record));
    return number;
  }

  /** How many records were appended. */
  public long count() {
    return next.get();
  }

  /**
   * A record by its number.
   *
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} if there is none, or none any more
   */
  public LogRecord record(long number) throws FerryException {
    Kept kept = number < 0 ? null : last.get((int) (number % last.length()));
    if (kept == null || kept.number() != number) {
      throw new FerryException(
          ErrorKind.NOT_FOUND, "log record " + number + " is not kept: there are " + count());
    }
    return kept.record();
  }
}
