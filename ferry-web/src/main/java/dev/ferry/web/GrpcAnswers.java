package dev.ferry.web;

import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import dev.ferry.contract.Errors;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/** gRPC statuses among header fields, where an answer has no messages. */
final class GrpcAnswers {
  private GrpcAnswers() {}

  /** Whether a request is a call, of whichever format. */
  static boolean isGrpc(HttpRequest request) {
    return request.headers().get("content-type", "").startsWith("application/grpc");
  }

  /**
   * A status with nothing before it.
   *
   * @param type the request's content type, which is the answer's too
   */
  static HttpResponse refusal(String type, Throwable failure) {
    StatusRuntimeException known = statusOf(failure);
    Status status = known.getStatus();
    ResponseHeadersBuilder head =
        ResponseHeaders.builder(HttpStatus.OK)
            .set("content-type", type)
            .set("grpc-accept-encoding", "gzip")
            .set("grpc-status", String.valueOf(status.getCode().value()));
    String description = status.getDescription();
    if (description != null) {
      head.set("grpc-message", escaped(description));
    }
    Metadata trailers = known.getTrailers();
    String kind = trailers == null ? null : trailers.get(Errors.KIND_TRAILER);
    if (kind != null) {
      head.set(Errors.KIND_TRAILER.name(), kind);
    }
    return HttpResponse.of(head.build());
  }

  /**
   * The other way round: what header fields or trailers say.
   *
   * @param fields with a {@code grpc-status}, which is a number
   */
  static StatusRuntimeException status(HttpHeaders fields) {
    Metadata trailers = new Metadata();
    String kind = fields.get(Errors.KIND_TRAILER.name());
    if (kind != null) {
      trailers.put(Errors.KIND_TRAILER, kind);
    }
    Status status = Status.fromCodeValue(fields.getInt("grpc-status", 0));
    String message = fields.get("grpc-message");
    return (message == null ? status : status.withDescription(unescaped(message)))
        .asRuntimeException(trailers);
  }

  private static String unescaped(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      // Not escaped as gRPC has it: better as it is than not at all.
      return text;
    }
  }

  private static StatusRuntimeException statusOf(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof StatusRuntimeException status) {
        return status;
      }
    }
    return Errors.toStatus(failure, "request");
  }

  /** Percent-encoded, as gRPC has it: a header takes no other characters. */
  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder();
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      if (b >= ' ' && b <= '~' && b != '%') {
        escaped.append((char) b);
      } else {
        escaped.append("%%%02X".formatted(b));
      }
    }
    return escaped.toString();
  }
}
