package dev.ferry.calls;

import dev.ferry.core.FerryException;

/** Where log records go. Thread-safe. */
public interface LogStore {
  /**
   * Appends a record; it is in the store when this returns.
   *
   * @return its number, from 0
   * @throws FerryException where it cannot be kept
   */
  long append(LogRecord record) throws FerryException;

  /**
   * A record that was appended.
   *
   * @param number its number, from 0
   * @throws FerryException with {@link dev.ferry.core.ErrorKind#NOT_FOUND} where there is none, or
   *     none any more
   */
  LogRecord record(long number) throws FerryException;

  /** How many records were appended. */
  long count();
}
