package dev.ferry.web;

import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.HttpHeadersBuilder;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.ferry.contract.Errors;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.net.AccessRules;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

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
    return HttpResponse.of(refusal(type, known.getStatus(), known.getTrailers()));
  }

  /** The head that is the whole of an answer. */
  static ResponseHeaders refusal(String type, Status status, @Nullable Metadata trailers) {
    return ResponseHeaders.builder(HttpStatus.OK)
        .set("content-type", type)
        .set("grpc-accept-encoding", "gzip")
        .add(fields(status, trailers))
        .build();
  }

  /** What is said of an encoding that a server does not have. */
  static StatusRuntimeException unknownEncoding(String encoding) {
    return Status.UNIMPLEMENTED
        .withDescription("grpc-encoding '" + encoding + "' is not supported; send gzip or identity")
        .asRuntimeException();
  }

  /** A status and the kind of its error. */
  static HttpHeaders fields(Status status, @Nullable Metadata trailers) {
    HttpHeadersBuilder fields =
        HttpHeaders.builder().set("grpc-status", String.valueOf(status.getCode().value()));
    String description = status.getDescription();
    if (description != null) {
      fields.set("grpc-message", escaped(description));
    }
    String kind = trailers == null ? null : trailers.get(Errors.KIND_TRAILER);
    if (kind != null) {
      fields.set(Errors.KIND_TRAILER.name(), kind);
    }
    return fields.build();
  }

  /** What a client of gRPC reads of a request that was not let in, beside the HTTP status. */
  static HttpHeaders fields(AccessRules.Refusal refusal) {
    ErrorKind kind = Errors.fromHttp(refusal.status(), null);
    StatusRuntimeException said = statusOf(new FerryException(kind, refusal.why()));
    return fields(said.getStatus(), said.getTrailers());
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

  static StatusRuntimeException statusOf(Throwable failure) {
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
