package dev.ferry.calls.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import dev.ferry.calls.Item;
import dev.ferry.calls.LogRecord;
import dev.ferry.calls.Row;
import dev.ferry.calls.User;
import java.io.IOException;

/**
 * Writes objects of a type as JSON and reads them. Thread-safe.
 *
 * @param <T> type of the object
 */
interface JsonAdapter<T> {
  /** Writes the object. */
  void write(T value, JsonGenerator json) throws IOException;

  /** Creates a reader of objects. */
  JsonDraft<T> draft();

  /** {@code {"number": 1, "name": "a"}}. */
  JsonAdapter<Row> ROW =
      new JsonAdapter<>() {
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
  JsonAdapter<Item> ITEM =
      new JsonAdapter<>() {
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

  /** The fields of {@link User}. */
  JsonAdapter<User> USER = new UserJson();

  /** The fields of {@link LogRecord}, with the level as its name. */
  JsonAdapter<LogRecord> LOG = new LogJson();

  /** {@code {"number": 0}}, the number of a log record. */
  JsonAdapter<Long> NUMBER =
      new JsonAdapter<>() {
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
