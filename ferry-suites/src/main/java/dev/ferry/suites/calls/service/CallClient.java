package dev.ferry.suites.calls.service;

import dev.ferry.core.FerryException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A client for small calls to one server, with any protocol. Thread-safe; calls may run
 * concurrently.
 *
 * <p>The kinds of errors are the same on every carrier: {@link
 * dev.ferry.core.ErrorKind#INVALID_REQUEST} if an argument is out of range, {@link
 * dev.ferry.core.ErrorKind#NOT_FOUND} if a page does not exist, {@link
 * dev.ferry.core.ErrorKind#OVERLOADED} if the server is overloaded, and {@link
 * dev.ferry.core.ErrorKind#UNAVAILABLE} if it cannot be reached.
 */
public interface CallClient extends AutoCloseable {
  /** Returns the first rows in one response. */
  List<DataRow> rows(long count) throws FerryException;

  /**
   * Streams the first rows to a visitor. Only a few rows are in memory at a time.
   *
   * @param visitor receives each row; an exception that it throws ends the call and is rethrown
   */
  void eachRow(long count, RowVisitor visitor) throws FerryException;

  /** Returns the first items. */
  List<Item> items(long count) throws FerryException;

  /** Returns a page of users. The first page is 0. */
  List<User> users(long page, long size) throws FerryException;

  /** Appends a log record and returns its number. The record is in the log when this returns. */
  long log(LogRecord record) throws FerryException;

  /**
   * Asynchronous version of {@link #log}. Dependent stages may run on a thread of the client, and
   * must not wait for a call of this client.
   */
  CompletableFuture<Long> logAsync(LogRecord record);

  /** Returns the log record with a number. */
  LogRecord logRecord(long number) throws FerryException;

  /** Aborts running calls, which fail as cancelled or unavailable, and closes the connections. */
  @Override
  void close();

  /** Receives rows. */
  @FunctionalInterface
  interface RowVisitor {
    /** Receives the next row. */
    void row(long number, String name);
  }
}
