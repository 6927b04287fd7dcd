package dev.ferry.suites.calls.service.grpc;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.suites.calls.service.LogLevel;
import dev.ferry.suites.calls.service.LogRecord;
import dev.ferry.suites.calls.v1.Item;
import dev.ferry.suites.calls.v1.LogReceipt;
import dev.ferry.suites.calls.v1.Row;
import dev.ferry.suites.calls.v1.User;

/** The records of small calls as generated messages, and log records back. */
public final class CallMessages {
  private static final LogLevel[] LEVELS = LogLevel.values();

  private CallMessages() {}

  static Row of(dev.ferry.suites.calls.service.DataRow row) {
    return Row.newBuilder().setNumber(row.number()).setName(row.name()).build();
  }

  static Item of(dev.ferry.suites.calls.service.Item item) {
    return Item.newBuilder().setId(item.id()).setName(item.name()).setPrice(item.price()).build();
  }

  static User of(dev.ferry.suites.calls.service.User user) {
    return User.newBuilder()
        .setUserName(user.userName())
        .setEmail(user.email())
        .setAge(user.age())
        .setAddress(user.address())
        .setCreatedMillis(user.createdMillis())
        .build();
  }

  /** Returns the number of a log record as a message. */
  public static LogReceipt receipt(long number) {
    return LogReceipt.newBuilder().setNumber(number).build();
  }

  /** Returns a record as a message. */
  public static dev.ferry.suites.calls.v1.LogRecord of(LogRecord record) {
    return dev.ferry.suites.calls.v1.LogRecord.newBuilder()
        .setMessage(record.message())
        .setLevelValue(record.level().ordinal() + 1)
        .setCategory(record.category())
        .setTimestampMillis(record.timestampMillis())
        .build();
  }

  /**
   * Returns the record of a message.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if its level is none
   */
  public static LogRecord of(dev.ferry.suites.calls.v1.LogRecord message) throws FerryException {
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
