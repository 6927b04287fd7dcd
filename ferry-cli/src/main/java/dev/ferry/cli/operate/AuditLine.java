package dev.ferry.cli.operate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ferry.net.EndedRequest;
import dev.ferry.net.ServedRequest;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The lines of an audit log. A line is one JSON object in ASCII: every other character of a path is
 * escaped, so that no client can begin a line of its own or control the terminal of a reader.
 */
final class AuditLine {
  /** Longer paths are cut. A path in a store has at most 4096 bytes. */
  private static final int MAX_PATH = 4096;

  private static final double NANOS = 1e9;

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private AuditLine() {}

  /** Returns the line of a request. */
  static byte[] of(EndedRequest ended, Instant time) {
    ServedRequest request = ended.request();
    ObjectNode line =
        line(time)
            .put("carrier", request.carrier().toString())
            .put("operation", request.operation().toString());
    putIfKnown(line, "path", abbreviated(ended.path()));
    putIfKnown(line, "target", abbreviated(ended.target()));
    line.put("bytes", ended.bytes())
        .put("seconds", ended.duration().toNanos() / NANOS)
        .put("result", RequestText.result(ended));
    putIfKnown(line, "caller", ended.caller());
    putIfKnown(line, "peer", RequestText.peer(request.peer()));
    putIfKnown(line, "traceparent", request.traceParent());
    return bytes(line);
  }

  /** Returns the line that stands for lines that could not be written. */
  static byte[] ofLost(long lines, Instant time) {
    return bytes(line(time).put("lost", lines));
  }

  private static ObjectNode line(Instant time) {
    return JSON.createObjectNode().put("time", time.truncatedTo(ChronoUnit.MILLIS).toString());
  }

  private static void putIfKnown(ObjectNode line, String name, @Nullable String value) {
    if (value != null) {
      line.put(name, value);
    }
  }

  private static @Nullable String abbreviated(@Nullable String path) {
    return path == null || path.length() <= MAX_PATH ? path : path.substring(0, MAX_PATH) + "...";
  }

  private static byte[] bytes(ObjectNode line) {
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
