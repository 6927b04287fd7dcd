package dev.ferry.web.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.wire.internal.AccessRules;
import dev.ferry.wire.internal.contract.Errors;
import dev.ferry.wire.internal.contract.GrpcErrors;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts gRPC statuses to fields of trailers or of a trailers-only response head. */
final class StatusFields {
  private static final String STATUS = "grpc-status";
  private static final String MESSAGE = "grpc-message";

  /** What a status has beside its code and message. */
  private static final List<Metadata.Key<String>> KEYS =
      List.of(GrpcErrors.KIND_TRAILER, GrpcErrors.PUSHBACK);

  private StatusFields() {}

  /** Returns the status for an encoding that the server does not support. */
  static StatusRuntimeException unknownEncoding(String encoding) {
    return Status.UNIMPLEMENTED
        .withDescription("grpc-encoding '" + encoding + "' is not supported; send gzip or identity")
        .asRuntimeException();
  }

  /** Returns the fields of a status, its error kind and when the server accepts another attempt. */
  static HttpHeaders of(Status status, @Nullable Metadata trailers) {
    HttpHeaders fields = new DefaultHttpHeaders();
    fields.set(STATUS, String.valueOf(status.getCode().value()));
    String description = status.getDescription();
    if (description != null) {
      fields.set(MESSAGE, escaped(description));
    }
    for (Metadata.Key<String> key : KEYS) {
      String value = trailers == null ? null : trailers.get(key);
      if (value != null) {
        fields.set(key.name(), value);
      }
    }
    return fields;
  }

  /**
   * Returns the fields that state for a gRPC-Web client, in addition to the HTTP status, why its
   * request was refused.
   */
  static HttpHeaders of(AccessRules.Refusal refusal) {
    ErrorKind kind = Errors.fromHttp(refusal.status(), null);
    StatusRuntimeException said = statusOf(new FerryException(kind, refusal.why()));
    return of(said.getStatus(), said.getTrailers());
  }

  static StatusRuntimeException statusOf(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof StatusRuntimeException status) {
        return status;
      }
    }
    return GrpcErrors.toStatus(failure, "request");
  }

  /** Percent-encodes a text as gRPC requires, because a header field allows no other characters. */
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
