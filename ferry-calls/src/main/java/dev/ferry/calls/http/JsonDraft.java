package dev.ferry.calls.http;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * Fields of an object that is being read; used again for the next one. Unknown fields are skipped;
 * a field of another type is an error, a missing one has the default of its type. For one thread at
 * a time.
 *
 * @param <T> what stands for the object
 */
abstract class JsonDraft<T> {
  /**
   * Reads an object, from its first brace, which is the parser's token, to its last one.
   *
   * @throws IOException where it is malformed or of another shape
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

  /** Gives every field its default. */
  abstract void clear();

  /** Takes the value of a field, which comes next, or returns that there is no such field. */
  abstract boolean take(String field, JsonParser json) throws IOException;

  /** The object. */
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
