package dev.ferry.suites.calls.service.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SequenceWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.suites.calls.service.CallClient.RowVisitor;
import dev.ferry.suites.calls.service.DataRow;
import dev.ferry.suites.calls.service.Item;
import dev.ferry.suites.calls.service.LogRecord;
import dev.ferry.suites.calls.service.User;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;

/**
 * The records of small calls as JSON, by Jackson's data binding. A record that lacks a field, or
 * has one of another type, is an error; fields that are not known are skipped. Thread-safe.
 */
final class CallJson {
  private static final int MAX_DEPTH = 32;

  private static final ObjectMapper MAPPER =
      JsonMapper.builder(
              // For input from the network.
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_DEPTH)
                          .maxStringLength(LogRecord.MAX_MESSAGE)
                          .build())
                  .build())
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .disable(
              DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
              DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .enable(
              DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
              DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
              DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS,
              DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final ObjectWriter WRITER = MAPPER.writer();
  private static final ObjectWriter LINES = WRITER.withRootValueSeparator("\n");

  static final ObjectReader ROW = MAPPER.readerFor(DataRow.class);
  static final ObjectReader ROWS = MAPPER.readerForListOf(DataRow.class);
  static final ObjectReader ITEMS = MAPPER.readerForListOf(Item.class);
  static final ObjectReader USERS = MAPPER.readerForListOf(User.class);
  static final ObjectReader LOG = MAPPER.readerFor(LogRecord.class);
  static final ObjectReader RECEIPT = MAPPER.readerFor(Receipt.class);

  private CallJson() {}

  /** The number of a log record that was written. */
  record Receipt(long number) {}

  /** The body of an error. */
  record Problem(String type, String detail) {
    static Problem of(FerryException failure) {
      return new Problem(type(failure.kind()), String.valueOf(failure.getMessage()));
    }

    static String type(ErrorKind kind) {
      return "urn:ferry:error:" + kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Writes a body. */
  @FunctionalInterface
  private interface Writing {
    void to(OutputStream out) throws IOException;
  }

  /** Returns any JSON; a missing node if the body is empty. */
  static JsonNode tree(InputStream body) throws IOException {
    return MAPPER.readTree(body);
  }

  /** Returns an object, or a list of them, as JSON. */
  static byte[] bytes(Object value) throws IOException {
    return WRITER.writeValueAsBytes(value);
  }

  /**
   * Writes an object, or a list of them, to a new buffer. The caller releases the buffer.
   *
   * @param firstBytes initial capacity of the buffer, which grows as needed
   */
  static ByteBuf toBuffer(ByteBufAllocator allocator, int firstBytes, Object value) {
    return toBuffer(allocator, firstBytes, out -> WRITER.writeValue(out, value));
  }

  /** Writes objects as lines, each with a line end, like {@link #toBuffer}. */
  static ByteBuf linesToBuffer(ByteBufAllocator allocator, int firstBytes, Iterable<?> values) {
    return toBuffer(
        allocator,
        firstBytes,
        out -> {
          try (SequenceWriter lines = LINES.writeValues(out)) {
            lines.writeAll(values);
            lines.flush();
            out.write('\n');
          }
        });
  }

  private static ByteBuf toBuffer(ByteBufAllocator allocator, int firstBytes, Writing writing) {
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

  /** Reads rows until the stream ends, and passes each to a visitor. */
  static void readLines(InputStream in, RowVisitor visitor) throws IOException {
    try (MappingIterator<DataRow> rows = ROW.readValues(in)) {
      while (rows.hasNextValue()) {
        DataRow row = rows.nextValue();
        visitor.row(row.number(), row.name());
      }
    }
  }
}
