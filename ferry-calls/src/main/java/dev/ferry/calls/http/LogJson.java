package dev.ferry.calls.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import dev.ferry.calls.LogLevel;
import dev.ferry.calls.LogRecord;
import java.io.IOException;
import java.util.Locale;

/** The fields of {@link LogRecord}, with the level as its name. */
final class LogJson implements JsonAdapter<LogRecord> {
  @Override
  public void write(LogRecord record, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("message", record.message());
    json.writeStringField("level", record.level().name());
    json.writeStringField("category", record.category());
    json.writeNumberField("timestampMillis", record.timestampMillis());
    json.writeEndObject();
  }

  @Override
  public JsonDraft<LogRecord> draft() {
    return new JsonDraft<>() {
      private String message = "";
      private String level = "";
      private String category = "";
      private long timestampMillis;

      @Override
      void clear() {
        message = "";
        level = "";
        category = "";
        timestampMillis = 0;
      }

      @Override
      boolean take(String field, JsonParser json) throws IOException {
        switch (field) {
          case "message" -> message = text(json, field);
          case "level" -> level = text(json, field);
          case "category" -> category = text(json, field);
          case "timestampMillis" -> timestampMillis = integer(json, field);
          default -> {
            return false;
          }
        }
        return true;
      }

      @Override
      LogRecord whole(JsonParser json) throws IOException {
        return new LogRecord(message, level(json, level), category, timestampMillis);
      }
    };
  }

  private LogLevel level(JsonParser json, String name) throws IOException {
    try {
      return LogLevel.valueOf(name.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new JsonParseException(
          json, "level is '" + name + "', not one of TRACE, DEBUG, INFO, WARN and ERROR", e);
    }
  }
}
