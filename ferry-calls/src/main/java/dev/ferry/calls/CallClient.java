package dev.ferry.calls;

import dev.ferry.core.FerryException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Small calls to one server, whatever they travel by. Thread-safe; calls may be made while others
 * run.
 *
 * <p>Every method fails with the same kinds on every carrier: {@link
 * dev.ferry.core.ErrorKind#INVALID_REQUEST} for what is out of range, {@link
 * dev.ferry.core.ErrorKind#NOT_FOUND} for a page that does not exist, {@link
 * dev.ferry.core.ErrorKind#OVERLOADED} where the server has too much to do, {@link
 * dev.ferry.core.ErrorKind#UNAVAILABLE} where it is not there.
 */
public interface CallClient extends AutoCloseable {
  /** One row, by its index. */
  Row row(long index) throws FerryException;

  /**
   * The same without waiting. What depends on the answer may run on a thread of the client, or on
   * one that waits for another answer of it; no call may be waited for there ({@link
   * IllegalStateException}).
   */
  CompletableFuture<Row> rowLater(long index);

  /** The first rows, all in one answer. */
  List<Row> rows(long count) throws FerryException;

  /**
   * The first rows, one after the other as they come: whatever their number, few of them are in
   * memory at a time.
   *
   * @param visitor is given each of them, perhaps on another thread, as {@link #rowLater} has it;
   *     what it throws ends the call and is thrown on
   */
  void eachRow(long count, RowVisitor visitor) throws FerryException;

  /** The first items. */
  List<Item> items(long count) throws FerryException;

  /** A page of users, from 0. */
  List<User> users(long page, long size) throws FerryException;

  /** Writes a log record; it is in the log when this returns its number. */
  long log(LogRecord record) throws FerryException;

  /** The same without waiting, as {@link #rowLater}. */
  CompletableFuture<Long> logLater(LogRecord record);

  /** A log record, by the number that writing it gave. */
  LogRecord logRecord(long number) throws FerryException;

  /** Cuts running calls, which fail as cancelled or unavailable, and closes the connections. */
  @Override
  void close();

  /** Is given rows. */
  @FunctionalInterface
  interface RowVisitor {
    /** Takes the next row. */
    void row(long number, String name);
  }
}
