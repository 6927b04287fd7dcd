package dev.ferry.suites.calls.service;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;

/**
 * A log record.
 *
 * @param message the message; not empty
 * @param level the log level
 * @param category the category; not empty
 * @param timestampMillis time of the event, in milliseconds since 1970-01-01T00:00:00Z
 */
public record LogRecord(String message, LogLevel level, String category, long timestampMillis) {
  /** Maximum characters of a message. */
  public static final int MAX_MESSAGE = 65_536;

  private static final int MAX_CATEGORY = 256;

  /**
   * Returns this record if it is valid.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if the message or the category is
   *     empty or too long, or the timestamp is negative
   */
  public LogRecord checked() throws FerryException {
    requireLength("message", message, MAX_MESSAGE);
    requireLength("category", category, MAX_CATEGORY);
    if (timestampMillis < 0) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, "timestamp " + timestampMillis + " is before 1970");
    }
    return this;
  }

  private static void requireLength(String what, String text, int most) throws FerryException {
    if (text.isEmpty() || text.length() > most) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          "the log record's %s has %,d characters, not 1 to %,d"
              .formatted(what, text.length(), most));
    }
  }
}
