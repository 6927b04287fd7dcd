package dev.ferry.http.internal.server;

import dev.ferry.wire.CrossOrigin;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;

/**
 * Implements cross-origin resource sharing (CORS, Fetch standard): which requests browsers may send
 * for pages of other origins, and whether those pages may read the responses. It processes one
 * request at a time.
 */
final class Cors {
  private static final String ANY = "*";
  private static final int PREFLIGHT_SECONDS = 3600;

  private static final AsciiString RESOURCE_POLICY =
      AsciiString.cached("Cross-Origin-Resource-Policy");
  private static final AsciiString SAME_ORIGIN = AsciiString.cached("same-origin");

  private final CrossOrigin allowed;
  private final boolean allowsNone;
  private @Nullable String origin;

  /**
   * @param allowed the origins whose pages may use the server
   */
  Cors(CrossOrigin allowed) {
    this.allowed = allowed;
    this.allowsNone = allowed.equals(CrossOrigin.NONE);
  }

  /**
   * Starts to process a permitted request.
   *
   * @return the response if the request is a CORS preflight; otherwise null
   */
  @Nullable FullHttpResponse begin(HttpRequest request) {
    HttpHeaders fields = request.headers();
    String page = fields.get(HttpHeaderNames.ORIGIN);
    origin = page != null && allowed.allows(page) ? page : null;
    if (origin == null
        || !request.method().equals(HttpMethod.OPTIONS)
        || !fields.contains(HttpHeaderNames.ACCESS_CONTROL_REQUEST_METHOD)) {
      return null;
    }
    FullHttpResponse response = Responses.without(HttpResponseStatus.OK);
    response
        .headers()
        .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_METHODS, Route.methods())
        .set(HttpHeaderNames.ACCESS_CONTROL_MAX_AGE, PREFLIGHT_SECONDS);
    String headers = fields.get(HttpHeaderNames.ACCESS_CONTROL_REQUEST_HEADERS);
    if (headers != null) {
      response.headers().set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_HEADERS, headers);
    }
    return response;
  }

  /** Resets the state of the last request. */
  void forget() {
    origin = null;
  }

  /**
   * Allows the requesting page to read a response with all its fields. A page of another site must
   * not even show it, unless some may.
   */
  void mark(HttpResponse response) {
    HttpHeaders fields = response.headers();
    if (origin == null) {
      if (allowsNone && fields.contains(HttpHeaderNames.CONTENT_TYPE)) {
        fields.set(RESOURCE_POLICY, SAME_ORIGIN);
      }
      return;
    }
    String exposed = String.join(", ", fields.names());
    if (!exposed.isEmpty()) {
      fields.set(HttpHeaderNames.ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    }
    if (allowed.equals(CrossOrigin.ANY)) {
      fields.set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, ANY);
    } else {
      fields
          .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, origin)
          .add(HttpHeaderNames.VARY, HttpHeaderNames.ORIGIN);
    }
  }
}
