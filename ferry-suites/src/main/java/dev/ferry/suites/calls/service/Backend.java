package dev.ferry.suites.calls.service;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.util.AbstractList;
import java.util.List;
import java.util.Locale;
import java.util.RandomAccess;
import java.util.function.IntFunction;

/**
 * The implementation of small calls, independent of the protocol. It checks requests and returns
 * the results. Lists create their elements on access and do not store them. Thread-safe.
 */
public final class Backend {
  /** The seed of the data, known to clients and servers. */
  public static final long SEED = 20_240_229;

  /** Number of users. */
  public static final long USERS = 1_000_000;

  /** Maximum rows of a stream. */
  public static final long MAX_ROWS = 1_000_000_000;

  /** Maximum rows of one message. Each has at most 19 bytes, so they fit into one of 4 MiB. */
  public static final int MAX_ROWS_IN_LIST = 200_000;

  /** Maximum items of a call. */
  private static final int MAX_ITEMS = 10_000;

  /** Number of log records that are kept in memory. */
  private static final int KEPT_RECORDS = 100_000;

  private final DataRows rows = new DataRows(SEED);
  private final Items items = new Items(SEED);
  private final Users users = new Users(SEED, USERS);
  private final MemoryLogs logs;

  private Backend(MemoryLogs logs) {
    this.logs = logs;
  }

  /** Creates a backend that keeps the last log records in memory. */
  public static Backend inMemory() {
    return of(new MemoryLogs(KEPT_RECORDS));
  }

  /** With a log of the caller's. */
  public static Backend of(MemoryLogs logs) {
    return new Backend(logs);
  }

  /**
   * Returns a row.
   *
   * @param index from 0
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if there is no such row
   */
  public DataRow row(long index) throws FerryException {
    if (index < 0 || index >= MAX_ROWS) {
      throw invalid("row %,d does not exist: rows are from 0 to %,d", index, MAX_ROWS - 1);
    }
    return rows.at(index);
  }

  /**
   * Returns the first rows, for a single message.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if the count is out of range
   */
  public List<DataRow> rows(long count) throws FerryException {
    return list(require("rows in one message", count, MAX_ROWS_IN_LIST), rows::at);
  }

  /**
   * Checks the number of rows of a stream.
   *
   * @return the count
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if it is out of range
   */
  public long requireRows(long count) throws FerryException {
    if (count < 0 || count > MAX_ROWS) {
      throw outOfRange("rows", count, MAX_ROWS);
    }
    return count;
  }

  /** All rows. {@link #requireRows} checks how many of them a client may request. */
  public DataRows rows() {
    return rows;
  }

  /**
   * Returns the first items.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if the count is out of range
   */
  public List<Item> items(long count) throws FerryException {
    return list(require("items", count, MAX_ITEMS), items::at);
  }

  /**
   * Returns a page of users.
   *
   * @param page from 0
   * @param size users per page; the last page may have fewer
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if the page is negative or the
   *     size is out of range, or with {@link ErrorKind#NOT_FOUND} if there is no such page
   */
  public List<User> users(long page, long size) throws FerryException {
    Users.Range range = users.page(page, size);
    return list(range.count(), i -> users.at(range.first() + i));
  }

  /**
   * Stores a log record.
   *
   * @return its number, from 0
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if the record is invalid, or with
   *     another kind if it cannot be stored
   */
  public long log(LogRecord record) throws FerryException {
    return logs.append(record.checked());
  }

  /**
   * Returns a stored log record.
   *
   * @param number its number, from 0
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if the number is negative, or
   *     with {@link ErrorKind#NOT_FOUND} if the record does not exist or is no longer stored
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
    return invalid("%,d %s cannot be returned: request 0 to %,d", count, what, most);
  }

  private static FerryException invalid(String format, Object... values) {
    return new FerryException(
        ErrorKind.INVALID_REQUEST, String.format(Locale.ROOT, format, values));
  }

  private static <T> List<T> list(int count, IntFunction<T> element) {
    return new Made<>(count, element);
  }

  /** A list that creates its elements on access. */
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
