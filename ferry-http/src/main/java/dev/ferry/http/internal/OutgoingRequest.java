package dev.ferry.http.internal;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request, whichever client sends it.
 *
 * @param rawPath path of its URI, percent-encoded
 * @param fields header fields, but for those of the connection and the length of the body
 * @param payload what it uploads; null where it has no body
 * @param askFirst whether the server had better look at the head before the body is sent
 */
public record OutgoingRequest(
    String method,
    String rawPath,
    Map<String, String> fields,
    @Nullable Payload payload,
    boolean askFirst) {
  public OutgoingRequest(String method, String rawPath, Map<String, String> fields) {
    this(method, rawPath, fields, null, false);
  }
}
