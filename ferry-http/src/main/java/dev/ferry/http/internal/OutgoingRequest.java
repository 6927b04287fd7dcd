package dev.ferry.http.internal;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request, independent of the HTTP client.
 *
 * @param rawPath the path of the URI, percent-encoded
 * @param fields the header fields, except connection fields and the length of the body
 * @param payload the upload; null if the request has no body
 * @param expectContinue whether the client sends {@code Expect: 100-continue}, so that the server
 *     can check the head before the body is sent
 */
public record OutgoingRequest(
    String method,
    String rawPath,
    Map<String, String> fields,
    @Nullable Payload payload,
    boolean expectContinue) {
  public OutgoingRequest(String method, String rawPath, Map<String, String> fields) {
    this(method, rawPath, fields, null, false);
  }
}
