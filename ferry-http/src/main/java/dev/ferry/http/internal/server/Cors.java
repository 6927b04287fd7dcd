package dev.ferry.http.internal.server;

import dev.ferry.net.CrossOrigin;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import org.jspecify.annotations.Nullable;

/**
 * What browsers are told of pages of other origins: which requests they may send, and that they may
 * read the answers (CORS, as the Fetch standard has it). For one request after the other.
 */
final class Cors {
  private static final String ANY = "*";
  private static final String METHODS = "GET, HEAD, PUT, POST";
  private static final int PREFLIGHT_SECONDS = 3600;

  private final CrossOrigin allowed;
  private @Nullable String origin;

  /**
   * @param allowed whose pages may use the server
   */
  Cors(CrossOrigin allowed) {
    this.allowed = allowed;
  }

  /**
   * Takes a request that may be answered.
   *
   * @return the answer, if it is a browser's question before a request
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
    FullHttpResponse answer = Responses.empty(HttpResponseStatus.OK);
    answer
        .headers()
        .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_METHODS, METHODS)
        .set(HttpHeaderNames.ACCESS_CONTROL_MAX_AGE, PREFLIGHT_SECONDS);
    String headers = fields.get(HttpHeaderNames.ACCESS_CONTROL_REQUEST_HEADERS);
    if (headers != null) {
      answer.headers().set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_HEADERS, headers);
    }
    HttpUtil.setContentLength(answer, 0);
    return answer;
  }

  /** The next request has nothing to do with the last. */
  void forget() {
    origin = null;
  }

  /** Lets the page that has asked read an answer, with all its fields. */
  void mark(HttpResponse answer) {
    if (origin == null) {
      return;
    }
    HttpHeaders fields = answer.headers();
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
