package dev.ferry.http.internal;

import dev.ferry.core.Digest;
import dev.ferry.core.StorePath;
import dev.ferry.wire.internal.contract.HttpRoutes;
import java.util.LinkedHashMap;
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

  /** Returns the same request to a server below a path; its paths are as the server has them. */
  public OutgoingRequest under(String basePath) {
    if (basePath.isEmpty()) {
      return this;
    }
    Map<String, String> below = new LinkedHashMap<>(fields);
    below.computeIfPresent(HttpRoutes.DESTINATION, (name, path) -> basePath + path);
    return new OutgoingRequest(method, basePath + rawPath, below, payload, expectContinue);
  }

  /** Returns the same request without {@code Expect: 100-continue}. */
  public OutgoingRequest unasked() {
    return new OutgoingRequest(method, rawPath, fields, payload, false);
  }

  /**
   * Creates a request for a file or its facts.
   *
   * @param gzip whether the response may be compressed
   * @param digest the algorithm of the digest to request; null for none
   * @param more other fields
   */
  public static OutgoingRequest of(
      String method,
      StorePath path,
      boolean gzip,
      Digest.@Nullable Algorithm digest,
      Map<String, String> more) {
    Map<String, String> fields = new LinkedHashMap<>();
    if (gzip) {
      fields.put("Accept-Encoding", "gzip");
    }
    if (digest != null) {
      fields.put(HttpRoutes.WANT_UNENCODED_DIGEST, HttpRoutes.wantField(digest));
    }
    fields.putAll(more);
    return new OutgoingRequest(method, HttpRoutes.uriPath(path), fields);
  }
}
