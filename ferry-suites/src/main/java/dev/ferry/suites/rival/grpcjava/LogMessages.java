package dev.ferry.suites.rival.grpcjava;

import dev.ferry.calls.LogLevel;
import dev.ferry.calls.LogRecord;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;

/** Log records as generated messages, and back. */
public final class LogMessages {
  private static final LogLevel[] LEVELS = LogLevel.values();

  private LogMessages() {}

  /** A record as a message. */
  public static dev.ferry.contract.v1.LogRecord of(LogRecord record) {
    return dev.ferry.contract.v1.LogRecord.newBuilder()
        .setMessage(record.message())
        .setLevelValue(record.level().ordinal() + 1)
        .setCategory(record.category())
        .setTimestampMillis(record.timestampMillis())
        .build();
  }

  /**
   * The record of a message.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if its level is none
   */
  public static LogRecord of(dev.ferry.contract.v1.LogRecord message) throws FerryException {
    int level = message.getLevelValue();
    if (level < 1 || level > LEVELS.length) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, "the log record's level " + level + " is none");
    }
    return new LogRecord(
        message.getMessage(),
        LEVELS[level - 1],
        message.getCategory(),
        message.getTimestampMillis());
  }
}
