package dev.ferry.calls.http;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * The fields of an object that is being read; reused for the next object. Unknown fields are
 * skipped. A field of a wrong type is an error. A missing field has the default of its type. Not
 * thread-safe.
 *
 * @param <T> type of the object
 */
abstract class JsonDraft<T> {
  /**
   * Reads an object. Its opening brace must be the parser's current token.
   *
   * @throws IOException if the JSON is malformed or does not match
   */
  final T read(JsonParser json) throws IOException {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      throw new JsonParseException(json, "an object is expected, not " + json.currentToken());
    }
    clear();
    for (String field = json.nextFieldName(); field != null; field = json.nextFieldName()) {
      if (!take(field, json)) {
        json.nextToken();
        json.skipChildren();
      }
    }
    return whole(json);
  }

  /** Sets every field to its default. */
  abstract void clear();

  /** Reads the value of a field, which is the next token. Returns false if the field is unknown. */
  abstract boolean take(String field, JsonParser json) throws IOException;

  /** Creates the object from the fields. */
  abstract T whole(JsonParser json) throws IOException;

  static int small(JsonParser json, String field) throws IOException {
    long value = integer(json, field);
    if ((int) value != value) {
      throw new JsonParseException(json, field + " " + value + " is out of range");
    }
    return (int) value;
  }

  static long integer(JsonParser json, String field) throws IOException {
    if (json.nextToken() != JsonToken.VALUE_NUMBER_INT) {
      throw new JsonParseException(json, field + " is to be an integer");
    }
    return json.getLongValue();
  }

  static double number(JsonParser json, String field) throws IOException {
    JsonToken token = json.nextToken();
    if (token == null || !token.isNumeric()) {
      throw new JsonParseException(json, field + " is to be a number");
    }
    return json.getDoubleValue();
  }

  static String text(JsonParser json, String field) throws IOException {
    String text = json.nextTextValue();
    if (text == null) {
      throw new JsonParseException(json, field + " is to be a string");
    }
    return text;
  }
}
