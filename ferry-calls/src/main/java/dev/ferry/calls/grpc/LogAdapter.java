package dev.ferry.calls.grpc;

import com.google.protobuf.CodedInputStream;
import dev.ferry.calls.LogLevel;
import dev.ferry.calls.LogRecord;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.io.IOException;

/** Adapter of {@code ferry.v1.LogRecord}. */
final class LogAdapter implements ProtoAdapter<LogAdapter.Message> {
  private static final int MESSAGE = 1;
  private static final int LEVEL = 2;
  private static final int CATEGORY = 3;
  private static final int TIMESTAMP_MILLIS = 4;

  private static final LogLevel[] LEVELS = LogLevel.values();

  /**
   * A record whose level may be invalid; the server rejects it then.
   *
   * @param level number of the level on the wire
   */
  record Message(String message, int level, String category, long timestampMillis) {
    static Message of(LogRecord record) {
      return new Message(
          record.message(),
          record.level().ordinal() + 1,
          record.category(),
          record.timestampMillis());
    }

    /**
     * Converts the message.
     *
     * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if the level is invalid
     */
    LogRecord record() throws FerryException {
      if (level < 1 || level > LEVELS.length) {
        throw new FerryException(
            ErrorKind.INVALID_REQUEST,
            "the log record's level " + level + " is none; take 1 to " + LEVELS.length);
      }
      return new LogRecord(message, LEVELS[level - 1], category, timestampMillis);
    }
  }

  @Override
  public void write(Message record, MessageWriter out) {
    out.write(MESSAGE, record.message());
    out.write(LEVEL, record.level());
    out.write(CATEGORY, record.category());
    out.write(TIMESTAMP_MILLIS, record.timestampMillis());
  }

  @Override
  public Message read(CodedInputStream in) throws IOException {
    String message = "";
    int level = 0;
    String category = "";
    long timestampMillis = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == Fields.bytes(MESSAGE)) {
        message = in.readStringRequireUtf8();
      } else if (tag == Fields.varint(LEVEL)) {
        level = in.readEnum();
      } else if (tag == Fields.bytes(CATEGORY)) {
        category = in.readStringRequireUtf8();
      } else if (tag == Fields.varint(TIMESTAMP_MILLIS)) {
        timestampMillis = in.readInt64();
      } else {
        Fields.skip(in, tag);
      }
    }
    return new Message(message, level, category, timestampMillis);
  }
}
