package dev.ferry.calls;

import dev.ferry.contract.Limits;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.util.AbstractList;
import java.util.List;
import java.util.Locale;
import java.util.RandomAccess;
import java.util.function.IntFunction;

/**
 * What a server of any protocol answers calls from: checks what is asked for, and gives it. Lists
 * make their elements when they are asked for them, and keep none. Thread-safe.
 */
public final class Backend {
  /** The seed that both ends know. */
  public static final long SEED = 20_240_229;

  /** Users of the reference's table. */
  public static final long USERS = 1_000_000;

  /** The last records that memory keeps. */
  private static final int KEPT_RECORDS = 100_000;

  private final Rows rows = new Rows(SEED);
  private final Items items = new Items(SEED);
  private final Users users = new Users(SEED, USERS);
  private final LogStore logs;

  private Backend(LogStore logs) {
    this.logs = logs;
  }

  /** With the last log records in memory. */
  public static Backend inMemory() {
    return of(new MemoryLogs(KEPT_RECORDS));
  }

  /** With another place for log records; it stays the caller's to close. */
  public static Backend of(LogStore logs) {
    return new Backend(logs);
  }

  /**
   * One row.
   *
   * @param index from 0
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} where there is no such row
   */
  public Row row(long index) throws FerryException {
    if (index < 0 || index >= Limits.MAX_ROWS) {
      throw invalid("row %,d does not exist: rows are from 0 to %,d", index, Limits.MAX_ROWS - 1);
    }
    return rows.at(index);
  }

  /**
   * The first rows, for one message.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} where the count is out of range
   */
  public List<Row> rows(long count) throws FerryException {
    return list(require("rows in one message", count, Limits.MAX_ROWS_IN_LIST), rows::at);
  }

  /**
   * Rows one after the other, for a stream.
   *
   * @return the count
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} where it is out of range
   */
  public long requireRows(long count) throws FerryException {
    if (count < 0 || count > Limits.MAX_ROWS) {
      throw outOfRange("rows", count, Limits.MAX_ROWS);
    }
    return count;
  }

  /** All rows there are; which of them may be asked for is checked by {@link #requireRows}. */
  public Rows rows() {
    return rows;
  }

  /**
   * The first items.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} where the count is out of range
   */
  public List<Item> items(long count) throws FerryException {
    return list(require("items", count, Limits.MAX_ITEMS), items::at);
  }

  /**
   * A page of users.
   *
   * @param page from 0
   * @param size users of each page but perhaps the last
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} or {@link ErrorKind#NOT_FOUND}
   *     where there is no such page
   */
  public List<User> users(long page, long size) throws FerryException {
    Users.Range range = users.page(page, size);
    return list(range.count(), i -> users.at(range.first() + i));
  }

  /**
   * Keeps a log record.
   *
   * @return its number, from 0
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} where it lacks something, or
   *     another kind where it cannot be kept
   */
  public long log(LogRecord record) throws FerryException {
    return logs.append(record.checked());
  }

  /**
   * A log record that was kept.
   *
   * @param number its number, from 0
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} where it is below 0, {@link
   *     ErrorKind#NOT_FOUND} where the record is not there, or no more
   */
  public LogRecord logRecord(long number) throws FerryException {
    if (number < 0) {
      throw invalid("log record %,d does not exist: they are from 0 on", number);
    }
    return logs.record(number);
  }

  private static int require(String what, long count, int most) throws FerryException {
    if (count < 0 || count > most) {
      throw outOfRange(what, count, most);
    }
    return (int) count;
  }

  private static FerryException outOfRange(String what, long count, long most) {
    return invalid("%,d %s cannot be had: ask for 0 to %,d", count, what, most);
  }

  private static FerryException invalid(String format, Object... values) {
    return new FerryException(
        ErrorKind.INVALID_REQUEST, String.format(Locale.ROOT, format, values));
  }

  private static <T> List<T> list(int count, IntFunction<T> element) {
    return new Made<>(count, element);
  }

  /** A list whose elements are made when they are asked for. */
  private static final class Made<T> extends AbstractList<T> implements RandomAccess {
    private final int count;
    private final IntFunction<T> element;

    Made(int count, IntFunction<T> element) {
      this.count = count;
      this.element = element;
    }

    @Override
    public T get(int index) {
      return element.apply(index);
    }

    @Override
    public int size() {
      return count;
    }
  }
}
