package dev.ferry.lab.suite.calls;

import dev.ferry.calls.LogLevel;
import dev.ferry.calls.LogRecord;

/** Log records as generated messages, and back. */
final class LogMessages {
  private LogMessages() {}

  static dev.ferry.contract.v1.LogRecord of(LogRecord record) {
    return dev.ferry.contract.v1.LogRecord.newBuilder()
        .setMessage(record.message())
        .setLevelValue(record.level().ordinal() + 1)
        .setCategory(record.category())
        .setTimestampMillis(record.timestampMillis())
        .build();
  }

  static LogRecord of(dev.ferry.contract.v1.LogRecord message) {
    return new LogRecord(
        message.getMessage(),
        LogLevel.values()[message.getLevelValue() - 1],
        message.getCategory(),
        message.getTimestampMillis());
  }
}
