package dev.ferry.calls.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.SerializedString;
import dev.ferry.contract.Limits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Reads and writes JSON from and to streams of bytes. Thread-safe. */
final class CallJson {
  private static final int MAX_DEPTH = 32;

  private static final SerializedString LINE_END = new SerializedString("\n");

  /** Limits the nesting depth and the string length of input from the network. */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxStringLength(Limits.MAX_LOG_MESSAGE)
                  .build())
          .build();

  private CallJson() {}

  /** Writes a body. */
  @FunctionalInterface
  interface Writing {
    /** Writes the whole body. */
    void to(OutputStream out) throws IOException;
  }

  /**
   * Writes a body to a new buffer. The caller releases the buffer.
   *
   * @param firstBytes initial capacity of the buffer, which grows as needed
   */
  static ByteBuf toBuffer(ByteBufAllocator allocator, int firstBytes, Writing writing) {
    ByteBuf body = allocator.buffer(firstBytes);
    try (ByteBufOutputStream out = new ByteBufOutputStream(body)) {
      writing.to(out);
      return body;
    } catch (IOException e) {
      body.release();
      throw new IllegalStateException("memory takes every byte", e);
    } catch (RuntimeException | Error e) {
      body.release();
      throw e;
    }
  }

  /** Writes an object. */
  static <T> void write(T value, JsonAdapter<T> adapter, OutputStream out) throws IOException {
    try (JsonGenerator json = JSON.createGenerator(out)) {
      adapter.write(value, json);
    }
  }

  /** Writes an array. */
  static <T> void writeArray(List<T> values, JsonAdapter<T> adapter, OutputStream out)
      throws IOException {
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartArray();
      for (T value : values) {
        adapter.write(value, json);
      }
      json.writeEndArray();
    }
  }

  /** Writes objects as lines, each with a line end. */
  static <T> void writeLines(Iterable<T> values, JsonAdapter<T> adapter, OutputStream out)
      throws IOException {
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.setRootValueSeparator(LINE_END);
      for (T value : values) {
        adapter.write(value, json);
      }
      json.writeRaw('\n');
    }
  }

  /** Reads an object. Fails if more input follows. */
  static <T> T read(JsonAdapter<T> adapter, InputStream in) throws IOException {
    try (JsonParser json = JSON.createParser(in)) {
      json.nextToken();
      T value = adapter.draft().read(json);
      requireEnd(json);
      return value;
    }
  }

  /** Reads an array. Fails if more input follows. */
  static <T> List<T> readArray(JsonAdapter<T> adapter, InputStream in) throws IOException {
    List<T> values = new ArrayList<>();
    try (JsonParser json = JSON.createParser(in)) {
      if (json.nextToken() != JsonToken.START_ARRAY) {
        throw new JsonParseException(json, "an array is expected, not " + json.currentToken());
      }
      JsonDraft<T> draft = adapter.draft();
      while (json.nextToken() != JsonToken.END_ARRAY) {
        values.add(draft.read(json));
      }
      requireEnd(json);
      return values;
    }
  }

  /** Reads objects until the stream ends, and passes each to a consumer. */
  static <T> void readLines(JsonAdapter<T> adapter, InputStream in, Consumer<T> taker)
      throws IOException {
    try (JsonParser json = JSON.createParser(in)) {
      JsonDraft<T> draft = adapter.draft();
      while (json.nextToken() != null) {
        taker.accept(draft.read(json));
      }
    }
  }

  private static void requireEnd(JsonParser json) throws IOException {
    if (json.nextToken() != null) {
      throw new JsonParseException(json, "there is more behind it: " + json.currentToken());
    }
  }
}
