package dev.ferry.suites.rival;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Failures as the status of a gRPC call, and back. A trailer has the kind, since several kinds have
 * the same status.
 */
public final class CallFailures {
  /** The trailer with the kind, which all peers of {@code ferry.v1.Files} send. */
  public static final Metadata.Key<String> KIND =
      Metadata.Key.of("ferry-error", Metadata.ASCII_STRING_MARSHALLER);

  private CallFailures() {}

  /** Returns the status with which a server ends a call. */
  public static StatusRuntimeException toStatus(FerryException failure) {
    Metadata trailers = new Metadata();
    trailers.put(KIND, nameOf(failure.kind()));
    return code(failure.kind())
        .toStatus()
        .withDescription(failure.getMessage())
        .withCause(failure)
        .asRuntimeException(trailers);
  }

  /**
   * Returns what a client throws.
   *
   * @param failure the status, or a failure of the client itself
   * @param name what the call is about, for messages
   */
  public static FerryException of(Throwable failure, String name) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof FerryException own) {
        return own;
      }
    }
    Status status = Status.fromThrowable(failure);
    Metadata trailers = Status.trailersFromThrowable(failure);
    String description = status.getDescription();
    return new FerryException(
        kind(trailers == null ? null : trailers.get(KIND), status),
        description == null ? name + ": " + status.getCode() : description,
        failure);
  }

  private static String nameOf(ErrorKind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static ErrorKind kind(@Nullable String name, Status status) {
    for (ErrorKind kind : ErrorKind.values()) {
      if (nameOf(kind).equals(name)) {
        return kind;
      }
    }
    return switch (status.getCode()) {
      case NOT_FOUND -> ErrorKind.NOT_FOUND;
      case ALREADY_EXISTS -> ErrorKind.ALREADY_EXISTS;
      case INVALID_ARGUMENT, UNIMPLEMENTED -> ErrorKind.INVALID_REQUEST;
      case PERMISSION_DENIED -> ErrorKind.PERMISSION_DENIED;
      case UNAUTHENTICATED -> ErrorKind.UNAUTHENTICATED;
      case RESOURCE_EXHAUSTED -> ErrorKind.TOO_LARGE;
      case DATA_LOSS -> ErrorKind.INCOMPLETE;
      case DEADLINE_EXCEEDED -> ErrorKind.DEADLINE_EXCEEDED;
      // A server that shuts down resets its streams.
      case CANCELLED, UNAVAILABLE -> ErrorKind.UNAVAILABLE;
      // A write can fail before grpc-java notices that the connection is closed.
      case UNKNOWN ->
          status.getCause() instanceof IOException ? ErrorKind.UNAVAILABLE : ErrorKind.INTERNAL;
      default -> ErrorKind.INTERNAL;
    };
  }

  private static Status.Code code(ErrorKind kind) {
    return switch (kind) {
      case NOT_FOUND -> Status.Code.NOT_FOUND;
      case ALREADY_EXISTS -> Status.Code.ALREADY_EXISTS;
      case INVALID_PATH, INVALID_REQUEST -> Status.Code.INVALID_ARGUMENT;
      case DIGEST_MISMATCH, INCOMPLETE -> Status.Code.DATA_LOSS;
      case OVERLOADED, OUT_OF_SPACE -> Status.Code.RESOURCE_EXHAUSTED;
      case UNAVAILABLE -> Status.Code.UNAVAILABLE;
      default -> Status.Code.INTERNAL;
    };
  }
}
