package dev.ferry.http.internal.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileFacts.LeftOut;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.PlainText;
import dev.ferry.http.internal.page.ContentFields;
import dev.ferry.wire.internal.AccessRules;
import dev.ferry.wire.internal.contract.BasePath;
import dev.ferry.wire.internal.contract.ByteRange;
import dev.ferry.wire.internal.contract.Errors;
import dev.ferry.wire.internal.contract.HttpRoutes;
import dev.ferry.wire.internal.contract.Limits;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Creates the responses of the server: heads of files and lists, and problem details. */
public final class Responses {
  /** Characters of a field that a message shows. */
  private static final int MAX_SHOWN = 40;

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final int TOO_MANY_REQUESTS = 429;
  private static final Instant FIRST_DATE = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant END_OF_DATES = Instant.parse("+10000-01-01T00:00:00Z");

  private Responses() {}

  /** Creates the response head for a file or directory, for both GET and HEAD. */
  public static HttpResponse head(FileFacts facts, boolean gzip) {
    HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    HttpHeaders headers = response.headers();
    if (facts.directory()) {
      addTime(headers.set(HttpRoutes.DIRECTORY, HttpRoutes.YES), facts);
      addMode(headers, facts);
      return response;
    }
    LeftOut leftOut = facts.leftOut();
    if (leftOut != null) {
      headers.set(HttpRoutes.LEFT_OUT, HttpRoutes.leftOut(leftOut));
    }
    addFacts(headers, facts, gzip);
    ContentFields.describe(headers, facts.name());
    headers.set(HttpHeaderNames.ACCEPT_RANGES, HttpHeaderValues.BYTES);
    addCaching(headers);
    if (gzip) {
      headers
          .set(HttpHeaderNames.CONTENT_ENCODING, HttpHeaderValues.GZIP)
          .set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED)
          .set(HttpRoutes.UNENCODED_LENGTH, facts.size());
    } else {
      HttpUtil.setContentLength(response, facts.size());
    }
    return response;
  }

  /**
   * Creates the response head for a part of a file. {@code Unencoded-Digest}, if there is one, is
   * the digest of the whole file.
   */
  static HttpResponse part(FileFacts facts, ByteRange range) {
    HttpResponse response = head(facts, false).setStatus(HttpResponseStatus.PARTIAL_CONTENT);
    response.headers().set(HttpHeaderNames.CONTENT_RANGE, range.contentRange(facts.size()));
    HttpUtil.setContentLength(response, range.length());
    return response;
  }

  /**
   * Announces that {@code Unencoded-Digest} follows the body. Over HTTP/1.1 this body is chunked.
   *
   * @param http2 whether the response is sent over HTTP/2
   */
  static void digestFollows(HttpResponse response, FileFacts facts, boolean http2) {
    response.headers().set(HttpHeaderNames.TRAILER, HttpRoutes.UNENCODED_DIGEST);
    if (!http2) {
      HttpUtil.setTransferEncodingChunked(response, true);
      response.headers().set(HttpRoutes.UNENCODED_LENGTH, facts.size());
    }
  }

  /** Creates the response for a client that has this version of the file. */
  static FullHttpResponse notModified(FileFacts facts, boolean gzip) {
    FullHttpResponse response = empty(HttpResponseStatus.NOT_MODIFIED);
    addTag(response.headers(), facts, gzip);
    addCaching(response.headers());
    return response;
  }

  /**
   * Has caches ask each time whether a file is still the same. Without this they take one for fresh
   * for a tenth of its age, and an upload may set a time that is long ago.
   */
  private static void addCaching(HttpHeaders headers) {
    headers
        .set(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING)
        .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_CACHE);
  }

  /** Creates problem details for a range that has no byte of the file. */
  static FullHttpResponse unsatisfiable(FileFacts facts, ByteRange range) {
    String detail = facts.name() + ": has only " + facts.size() + " bytes, none of them in Range";
    FullHttpResponse response = problem(ErrorKind.INVALID_REQUEST, 416, detail);
    response.headers().set(HttpHeaderNames.CONTENT_RANGE, range.contentRange(facts.size()));
    return response;
  }

  private static void addTag(HttpHeaders headers, FileFacts facts, boolean gzip) {
    String tag = Conditions.entityTag(facts, gzip);
    if (tag != null) {
      headers.set(HttpHeaderNames.ETAG, tag);
    }
  }

  private static void addTime(HttpHeaders headers, FileFacts facts) {
    Instant time = facts.lastModified();
    if (time.equals(FileFacts.UNKNOWN_TIME)) {
      return;
    }
    headers.set(HttpRoutes.LAST_MODIFIED, HttpRoutes.timeField(time));
    String date = facts.directory() ? null : date(facts);
    if (date != null) {
      headers.set(HttpHeaderNames.LAST_MODIFIED, date);
    }
  }

  /** Returns the modification time as a date of HTTP; null if it is not known, or not one. */
  static @Nullable String date(FileFacts facts) {
    Instant time = facts.lastModified();
    // A date of HTTP has four digits for the year.
    boolean is = !time.isBefore(FIRST_DATE) && time.isBefore(END_OF_DATES);
    return is ? DateFormatter.format(Date.from(time)) : null;
  }

  static void addFacts(HttpHeaders headers, FileFacts facts, boolean gzip) {
    addTime(headers, facts);
    addTag(headers, facts, gzip);
    addMode(headers, facts);
    Digest[] digests = facts.digests().toArray(Digest[]::new);
    if (digests.length > 0) {
      headers.set(HttpRoutes.UNENCODED_DIGEST, HttpRoutes.digestField(digests));
    }
  }

  private static void addMode(HttpHeaders headers, FileFacts facts) {
    Integer mode = facts.mode();
    if (mode != null) {
      headers.set(HttpRoutes.MODE, HttpRoutes.modeField(mode));
    }
  }

  /** Creates the response to an upload that was stored. */
  public static FullHttpResponse stored(FileFacts facts, boolean created) {
    FullHttpResponse response =
        empty(created ? HttpResponseStatus.CREATED : HttpResponseStatus.NO_CONTENT);
    if (created) {
      HttpUtil.setContentLength(response, 0);
    }
    addFacts(response.headers(), facts, false);
    return response;
  }

  static FullHttpResponse empty(HttpResponseStatus status) {
    return new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.EMPTY_BUFFER);
  }

  /** Creates a response whose body has no bytes. */
  static FullHttpResponse without(HttpResponseStatus status) {
    FullHttpResponse response = empty(status);
    HttpUtil.setContentLength(response, 0);
    return response;
  }

  /** Creates a response with its whole body. */
  static FullHttpResponse whole(HttpResponseStatus status, CharSequence type, byte[] body) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, type);
    HttpUtil.setContentLength(response, body.length);
    return response;
  }

  /**
   * Creates the response head of a body that is made while it is sent, such as a list.
   *
   * @param chunked whether the client supports chunked transfer coding; if not, the end of the
   *     connection ends the body
   */
  static HttpResponse made(boolean chunked) {
    HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    HttpUtil.setTransferEncodingChunked(response, chunked);
    return response;
  }

  /** Creates problem details (RFC 9457) with the status of their kind. */
  public static FullHttpResponse problem(ErrorKind kind, String detail) {
    return problem(kind, Errors.httpStatus(kind), detail);
  }

  /**
   * Creates problem details of a failure. If it says when the server accepts another attempt, they
   * have {@code Retry-After}, and 429 in place of 503 if the client has sent too much.
   */
  public static FullHttpResponse problem(FerryException failure) {
    String detail = String.valueOf(failure.getMessage());
    Duration delay = failure.retryAfter();
    if (delay == null) {
      return problem(failure.kind(), detail);
    }
    boolean tooMany = failure.kind() == ErrorKind.OVERLOADED;
    FullHttpResponse response =
        problem(
            failure.kind(),
            tooMany ? TOO_MANY_REQUESTS : Errors.httpStatus(failure.kind()),
            detail);
    response.headers().set(HttpHeaderNames.RETRY_AFTER, delay.plusNanos(999_999_999).toSeconds());
    return response;
  }

  /** Creates problem details of a failure because a condition of the request is false. */
  static FullHttpResponse preconditionFailed(FerryException failure) {
    return problem(failure, HttpResponseStatus.PRECONDITION_FAILED.code());
  }

  /**
   * Makes a response lead to the URI of a directory. Another client may store a file of the same
   * name later, so caches ask again.
   */
  static <R extends HttpResponse> R moved(R response, String uri) {
    response.setStatus(HttpResponseStatus.MOVED_PERMANENTLY);
    response
        .headers()
        .set(HttpHeaderNames.LOCATION, uri)
        .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_CACHE);
    return response;
  }

  /** Creates the response to a {@code GET} of a directory whose path lacks the slash. */
  static FullHttpResponse folder(StorePath path, String uri, BasePath base) {
    int status = HttpResponseStatus.MOVED_PERMANENTLY.code();
    String detail =
        (path.equals(StorePath.ROOT) ? "/" : path)
            + ": is a folder, not a file; its list is "
            + base.before(uri);
    return moved(problem(ErrorKind.INVALID_PATH, status, detail), uri);
  }

  /** Creates problem details of a failure with a more specific status than that of its kind. */
  static FullHttpResponse problem(FerryException failure, int status) {
    return problem(failure.kind(), status, String.valueOf(failure.getMessage()));
  }

  /** Creates problem details with a more specific status than the status of their kind. */
  public static FullHttpResponse problem(ErrorKind kind, int status, String detail) {
    return problem(kind, status, Errors.problemType(kind), detail, Map.of());
  }

  /**
   * Creates problem details with a type of another specification.
   *
   * @param members what the type adds
   */
  static FullHttpResponse problem(
      ErrorKind kind, int status, String type, String detail, Map<String, Long> members) {
    ObjectNode problem =
        JSON.createObjectNode()
            .put("type", type)
            .put("title", kind.name().toLowerCase(Locale.ROOT).replace('_', ' '))
            .put("status", status)
            .put("detail", detail);
    members.forEach(problem::put);
    FullHttpResponse response =
        json(HttpResponseStatus.valueOf(status), HttpRoutes.PROBLEM_JSON, problem);
    response
        .headers()
        .set(HttpRoutes.ERROR, Errors.problemType(kind))
        .set(HttpRoutes.ERROR_DETAIL, HttpRoutes.detailField(detail));
    if (kind == ErrorKind.UNAUTHENTICATED) {
      response.headers().set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
    }
    return response;
  }

  /** Creates problem details for a request whose origin or host is not allowed. */
  public static FullHttpResponse refusal(AccessRules.Refusal refusal) {
    return problem(Errors.fromHttp(refusal.status(), null), refusal.status(), refusal.why());
  }

  static FullHttpResponse json(HttpResponseStatus status, String type, Object value) {
    try {
      return whole(status, type, JSON.writeValueAsBytes(value));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of strings and numbers is always JSON", e);
    }
  }

  /** Creates problem details for a request whose head cannot be read. */
  static FullHttpResponse malformed(Throwable cause) {
    if (cause instanceof TooLongHttpHeaderException) {
      return problem(ErrorKind.INVALID_REQUEST, 431, Limits.FIELDS_TOO_LARGE);
    }
    if (cause instanceof TooLongHttpLineException) {
      String why =
          "the request line has more than %d bytes; use a shorter path"
              .formatted(ProtocolChooser.MAX_REQUEST_LINE);
      return problem(ErrorKind.INVALID_REQUEST, 414, why);
    }
    return problem(ErrorKind.INVALID_REQUEST, "malformed HTTP request: " + cause.getMessage());
  }

  /** Creates the refusal of a transfer coding that is not {@code chunked}. */
  static FullHttpResponse notImplemented(List<String> codings) {
    String given = PlainText.of(String.join(", ", codings));
    String why =
        "Transfer-Encoding: '"
            + (given.length() > MAX_SHOWN ? given.substring(0, MAX_SHOWN) + "..." : given)
            + "' is not supported; send the body with chunked, or with a Content-Length";
    return problem(ErrorKind.INVALID_REQUEST, HttpResponseStatus.NOT_IMPLEMENTED.code(), why);
  }

  /** Creates the response to a question whether the port serves requests. */
  static FullHttpResponse health() {
    FullHttpResponse response =
        whole(
            HttpResponseStatus.OK,
            HttpHeaderValues.TEXT_PLAIN,
            "ok\n".getBytes(StandardCharsets.US_ASCII));
    response.headers().set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE);
    return response;
  }

  /** Creates problem details that state the allowed methods. */
  public static FullHttpResponse methodNotAllowed(HttpMethod method, FileRequest request) {
    String detail = method + ": not a method of " + request.rawPath();
    return allowing(problem(ErrorKind.INVALID_REQUEST, 405, detail), request);
  }

  /** Adds the allowed methods to a response. */
  static FullHttpResponse allowing(FullHttpResponse response, FileRequest request) {
    response.headers().set(HttpHeaderNames.ALLOW, Route.allowed(request));
    return response;
  }

  /** Creates problem details that state the supported coding. */
  public static FullHttpResponse codingNotSupported(String coding) {
    String detail = "Content-Encoding: " + coding + " is not supported; send gzip";
    FullHttpResponse response = problem(ErrorKind.INVALID_REQUEST, 415, detail);
    response.headers().set(HttpHeaderNames.ACCEPT_ENCODING, HttpHeaderValues.GZIP);
    return response;
  }
}
