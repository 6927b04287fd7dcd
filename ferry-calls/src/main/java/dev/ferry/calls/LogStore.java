package dev.ferry.calls;

import dev.ferry.core.FerryException;

/** A store for log records. Thread-safe. */
public interface LogStore {
  /**
   * Appends a record. It is stored when this returns.
   *
   * @return its number, from 0
   * @throws FerryException if it cannot be stored
   */
  long append(LogRecord record) throws FerryException;

  /**
   * Returns a stored record.
   *
   * @param number its number, from 0
   * @throws FerryException with {@link dev.ferry.core.ErrorKind#NOT_FOUND} if the record does not
   *     exist or is no longer stored
   */
  LogRecord record(long number) throws FerryException;

  /** Number of appended records. */
  long count();
}
