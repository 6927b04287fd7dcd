package dev.ferry.calls.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import dev.ferry.calls.Item;
import dev.ferry.calls.LogLevel;
import dev.ferry.calls.LogRecord;
import dev.ferry.calls.Row;
import dev.ferry.calls.User;
import java.io.IOException;
import java.util.Locale;

/**
 * How an object of the contract is written as JSON and read back. Thread-safe.
 *
 * @param <T> what stands for the object
 */
interface JsonForm<T> {
  /** Writes the object. */
  void write(T value, JsonGenerator json) throws IOException;

  /** What reads objects, one after the other. */
  JsonDraft<T> draft();

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
        public JsonDraft<Row> draft() {
          return new JsonDraft<>() {
            private long number;
            private String name = "";

            @Override
            void clear() {
              number = 0;
              name = "";
            }

            @Override
            boolean take(String field, JsonParser json) throws IOException {
              switch (field) {
                case "number" -> number = integer(json, field);
                case "name" -> name = text(json, field);
                default -> {
                  return false;
                }
              }
              return true;
            }

            @Override
            Row whole(JsonParser json) {
              return new Row(number, name);
            }
          };
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
        public JsonDraft<Item> draft() {
          return new JsonDraft<>() {
            private long id;
            private String name = "";
            private double price;

            @Override
            void clear() {
              id = 0;
              name = "";
              price = 0;
            }

            @Override
            boolean take(String field, JsonParser json) throws IOException {
              switch (field) {
                case "id" -> id = integer(json, field);
                case "name" -> name = text(json, field);
                case "price" -> price = number(json, field);
                default -> {
                  return false;
                }
              }
              return true;
            }

            @Override
            Item whole(JsonParser json) {
              return new Item(id, name, price);
            }
          };
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
        public JsonDraft<User> draft() {
          return new JsonDraft<>() {
            private String userName = "";
            private String email = "";
            private int age;
            private String address = "";
            private long createdMillis;

            @Override
            void clear() {
              userName = "";
              email = "";
              age = 0;
              address = "";
              createdMillis = 0;
            }

            @Override
            boolean take(String field, JsonParser json) throws IOException {
              switch (field) {
                case "userName" -> userName = text(json, field);
                case "email" -> email = text(json, field);
                case "age" -> age = small(json, field);
                case "address" -> address = text(json, field);
                case "createdMillis" -> createdMillis = integer(json, field);
                default -> {
                  return false;
                }
              }
              return true;
            }

            @Override
            User whole(JsonParser json) {
              return new User(userName, email, age, address, createdMillis);
            }
          };
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
        public JsonDraft<Long> draft() {
          return new JsonDraft<>() {
            private long number;

            @Override
            void clear() {
              number = 0;
            }

            @Override
            boolean take(String field, JsonParser json) throws IOException {
              if (!field.equals("number")) {
                return false;
              }
              number = integer(json, field);
              return true;
            }

            @Override
            Long whole(JsonParser json) {
              return number;
            }
          };
        }
      };
}
