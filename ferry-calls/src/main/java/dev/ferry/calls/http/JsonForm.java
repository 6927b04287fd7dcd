package dev.ferry.calls.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.ferry.calls.Item;
import dev.ferry.calls.LogLevel;
import dev.ferry.calls.LogRecord;
import dev.ferry.calls.Row;
import dev.ferry.calls.User;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How an object of the contract is written as JSON and read back. Unknown fields are skipped; a
 * field of another type is an error, a missing one has the default of its type.
 *
 * @param <T> what stands for the object
 */
interface JsonForm<T> {
  /** Writes the object. */
  void write(T value, JsonGenerator json) throws IOException;

  /**
   * Reads an object, from its first brace, which is the parser's token, to its last one.
   *
   * @throws IOException where it is malformed or of another shape
   */
  T read(JsonParser json) throws IOException;

  /** {@code {"number": 1, "name": "a"}}. */
  JsonForm<Row> ROW =
      new JsonForm<>() {
        @Override
        public void write(Row row, JsonGenerator json) throws IOException {
          json.writeStartObject();
          json.writeNumberField("number", row.number());
          json.writeStringField("name", row.name());
          json.writeEndObject();
        }

        @Override
        public Row read(JsonParser json) throws IOException {
          long number = 0;
          String name = "";
          for (String field = first(json); field != null; field = json.nextFieldName()) {
            switch (field) {
              case "number" -> number = integer(json, field);
              case "name" -> name = text(json, field);
              default -> skip(json);
            }
          }
          return new Row(number, name);
        }
      };

  /** {@code {"id": 1, "name": "a", "price": 1.5}}. */
  JsonForm<Item> ITEM =
      new JsonForm<>() {
        @Override
        public void write(Item item, JsonGenerator json) throws IOException {
          json.writeStartObject();
          json.writeNumberField("id", item.id());
          json.writeStringField("name", item.name());
          json.writeNumberField("price", item.price());
          json.writeEndObject();
        }

        @Override
        public Item read(JsonParser json) throws IOException {
          long id = 0;
          String name = "";
          double price = 0;
          for (String field = first(json); field != null; field = json.nextFieldName()) {
            switch (field) {
              case "id" -> id = integer(json, field);
              case "name" -> name = text(json, field);
              case "price" -> price = number(json, field);
              default -> skip(json);
            }
          }
          return new Item(id, name, price);
        }
      };

  /** The fields of {@link User}, by their names. */
  JsonForm<User> USER =
      new JsonForm<>() {
        @Override
        public void write(User user, JsonGenerator json) throws IOException {
          json.writeStartObject();
          json.writeStringField("userName", user.userName());
          json.writeStringField("email", user.email());
          json.writeNumberField("age", user.age());
          json.writeStringField("address", user.address());
          json.writeNumberField("createdMillis", user.createdMillis());
          json.writeEndObject();
        }

        @Override
        public User read(JsonParser json) throws IOException {
          String userName = "";
          String email = "";
          int age = 0;
          String address = "";
          long createdMillis = 0;
          for (String field = first(json); field != null; field = json.nextFieldName()) {
            switch (field) {
              case "userName" -> userName = text(json, field);
              case "email" -> email = text(json, field);
              case "age" -> age = small(json, field);
              case "address" -> address = text(json, field);
              case "createdMillis" -> createdMillis = integer(json, field);
              default -> skip(json);
            }
          }
          return new User(userName, email, age, address, createdMillis);
        }
      };

  /** The fields of {@link LogRecord}, by their names; the level as its name. */
  JsonForm<LogRecord> LOG =
      new JsonForm<>() {
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
        public LogRecord read(JsonParser json) throws IOException {
          String message = "";
          String level = "";
          String category = "";
          long timestampMillis = 0;
          for (String field = first(json); field != null; field = json.nextFieldName()) {
            switch (field) {
              case "message" -> message = text(json, field);
              case "level" -> level = text(json, field);
              case "category" -> category = text(json, field);
              case "timestampMillis" -> timestampMillis = integer(json, field);
              default -> skip(json);
            }
          }
          return new LogRecord(message, level(json, level), category, timestampMillis);
        }

        private LogLevel level(JsonParser json, String name) throws IOException {
          try {
            return LogLevel.valueOf(name.toUpperCase(Locale.ROOT));
          } catch (IllegalArgumentException e) {
            throw new JsonParseException(
                json, "level is '" + name + "', not one of TRACE, DEBUG, INFO, WARN and ERROR", e);
          }
        }
      };

  /** {@code {"number": 0}}, a place in the log. */
  JsonForm<Long> PLACE =
      new JsonForm<>() {
        @Override
        public void write(Long number, JsonGenerator json) throws IOException {
          json.writeStartObject();
          json.writeNumberField("number", number);
          json.writeEndObject();
        }

        @Override
        public Long read(JsonParser json) throws IOException {
          long number = 0;
          for (String field = first(json); field != null; field = json.nextFieldName()) {
            if (field.equals("number")) {
              number = integer(json, field);
            } else {
              skip(json);
            }
          }
          return number;
        }
      };

  private static @Nullable String first(JsonParser json) throws IOException {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      throw new JsonParseException(json, "an object is expected, not " + json.currentToken());
    }
    return json.nextFieldName();
  }

  private static int small(JsonParser json, String field) throws IOException {
    long value = integer(json, field);
    if ((int) value != value) {
      throw new JsonParseException(json, field + " " + value + " is out of range");
    }
    return (int) value;
  }

  private static long integer(JsonParser json, String field) throws IOException {
    require(json, json.nextToken() == JsonToken.VALUE_NUMBER_INT, field, "an integer");
    return json.getLongValue();
  }

  private static double number(JsonParser json, String field) throws IOException {
    require(json, json.nextToken().isNumeric(), field, "a number");
    return json.getDoubleValue();
  }

  private static String text(JsonParser json, String field) throws IOException {
    String text = json.nextTextValue();
    if (text == null) {
      throw new JsonParseException(json, field + " is to be a string");
    }
    return text;
  }

  private static void require(JsonParser json, boolean right, String field, String what)
      throws IOException {
    if (!right) {
      throw new JsonParseException(json, field + " is to be " + what);
    }
  }

  private static void skip(JsonParser json) throws IOException {
    json.nextToken();
    json.skipChildren();
  }
}
