package dev.ferry.cli.operate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ferry.wire.EndedRequest;
import dev.ferry.wire.ServedRequest;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Lines of the audit log and of a log as JSON. A line is one JSON object in ASCII: every other
 * character of a path is escaped, so that no client can begin a line of its own or control the
 * terminal of a reader.
 */
final class LineText {
  /** Longer paths are cut. A path in a store has at most 4096 bytes. */
  private static final int MAX_PATH = 4096;

  private static final double NANOS = 1e9;

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private LineText() {}

  /** Returns the line of a request in the audit log. */
  static byte[] of(EndedRequest ended, Instant time) {
    Map<String, Object> line = begin(time);
    fields(ended, line::put);
    return of(line);
  }

  /** Returns the line that stands for lines that could not be written. */
  static byte[] ofLost(long lines, Instant time) {
    Map<String, Object> line = begin(time);
    line.put("lost", lines);
    return of(line);
  }

  /** Passes on what is known of a request that has ended: names and values, in a fixed order. */
  static void fields(EndedRequest ended, BiConsumer<String, Object> fields) {
    ServedRequest request = ended.request();
    fields.accept("carrier", request.carrier().toString());
    fields.accept("operation", request.operation().toString());
    ifKnown("path", abbreviated(ended.path()), fields);
    ifKnown("target", abbreviated(ended.target()), fields);
    fields.accept("bytes", ended.bytes());
    fields.accept("seconds", ended.duration().toNanos() / NANOS);
    fields.accept("result", RequestText.result(ended));
    ifKnown("caller", ended.caller(), fields);
    ifKnown("peer", RequestText.peer(request.peer()), fields);
    ifKnown("traceparent", request.traceParent(), fields);
  }

  private static void ifKnown(
      String name, @Nullable String value, BiConsumer<String, Object> fields) {
    if (value != null) {
      fields.accept(name, value);
    }
  }

  private static @Nullable String abbreviated(@Nullable String path) {
    return path == null || path.length() <= MAX_PATH ? path : path.substring(0, MAX_PATH) + "...";
  }

  /** Begins a line with its time, in milliseconds. */
  static Map<String, Object> begin(Instant time) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("time", time.truncatedTo(ChronoUnit.MILLIS).toString());
    return line;
  }

  /** Returns a line with its end. */
  static byte[] of(Map<String, Object> line) {
    // A string, and not bytes: the writer of bytes refuses half a surrogate pair.
    try {
      // Jackson does not count DEL as a control character.
      String text = JSON.writeValueAsString(line).replace("\177", "\\u007f");
      return (text + "\n").getBytes(StandardCharsets.US_ASCII);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("strings and numbers are always JSON", e);
    }
  }
}
