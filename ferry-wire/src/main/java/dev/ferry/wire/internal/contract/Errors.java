package dev.ferry.wire.internal.contract;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.CallReport;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Maps an {@link ErrorKind} to gRPC and HTTP, and back. */
public final class Errors {
  /** Trailer with the name of the kind, because several kinds share a gRPC status code. */
  public static final Metadata.Key<String> KIND_TRAILER =
      Metadata.Key.of("ferry-error", Metadata.ASCII_STRING_MARSHALLER);

  /**
   * Maximum characters of a status description. One character takes up to nine bytes in a header.
   */
  private static final int MAX_DESCRIPTION = 512;

  /** Problem types of draft-ietf-httpbis-resumable-upload begin so. */
  private static final String IANA_PREFIX = "https://iana.org/assignments/http-problem-types#";

  /** The problem type of a request that does not go on where the upload is. */
  public static final String MISMATCHING_OFFSET = IANA_PREFIX + "mismatching-upload-offset";

  /** The problem type of a request for an upload that is complete. */
  public static final String COMPLETED_UPLOAD = IANA_PREFIX + "completed-upload";

  /** The problem type of a request with another length than those before, or two lengths. */
  public static final String INCONSISTENT_LENGTH = IANA_PREFIX + "inconsistent-upload-length";

  private static final String OKHTTP_READ_FAILED = "error in frame handler";

  /** What grpc-java says of a response that ends in order, but without trailers. */
  private static final String NO_TRAILERS = "Received unexpected EOS on ";

  private static final String PROBLEM_TYPE_PREFIX = "urn:ferry:error:";

  /**
   * The problem type of a request after which more of an upload is to follow, of which the server
   * keeps no part: the client can send the whole file in one request.
   */
  public static final String UPLOAD_NOT_KEPT = PROBLEM_TYPE_PREFIX + "upload-not-kept";

  private Errors() {}

  /** The name of a kind on the wire, for instance {@code digest-mismatch}. */
  public static String wireName(ErrorKind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static @Nullable ErrorKind fromWireName(@Nullable String name) {
    for (ErrorKind kind : ErrorKind.values()) {
      if (wireName(kind).equals(name)) {
        return kind;
      }
    }
    return null;
  }

  /** The gRPC status code of a kind. */
  public static Status.Code grpcCode(ErrorKind kind) {
    return switch (kind) {
      case NOT_FOUND -> Status.Code.NOT_FOUND;
      case INVALID_PATH, INVALID_REQUEST -> Status.Code.INVALID_ARGUMENT;
      case ALREADY_EXISTS -> Status.Code.ALREADY_EXISTS;
      case TOO_LARGE -> Status.Code.OUT_OF_RANGE;
      case DIGEST_MISMATCH, INCOMPLETE -> Status.Code.DATA_LOSS;
      case FILE_CHANGED -> Status.Code.ABORTED;
      case VERSION_MISMATCH, OFFSET_MISMATCH, NOT_EMPTY, LOCKED -> Status.Code.FAILED_PRECONDITION;
      case OUT_OF_SPACE, OVERLOADED -> Status.Code.RESOURCE_EXHAUSTED;
      case PERMISSION_DENIED -> Status.Code.PERMISSION_DENIED;
      case UNAUTHENTICATED -> Status.Code.UNAUTHENTICATED;
      case CANCELLED -> Status.Code.CANCELLED;
      case DEADLINE_EXCEEDED -> Status.Code.DEADLINE_EXCEEDED;
      case UNAVAILABLE -> Status.Code.UNAVAILABLE;
      case INTERNAL -> Status.Code.INTERNAL;
    };
  }

  /** The HTTP status code of a kind. */
  public static int httpStatus(ErrorKind kind) {
    return switch (kind) {
      case NOT_FOUND -> 404;
      case INVALID_PATH, INVALID_REQUEST, INCOMPLETE -> 400;
      case ALREADY_EXISTS, NOT_EMPTY, FILE_CHANGED, OFFSET_MISMATCH -> 409;
      case VERSION_MISMATCH -> 412;
      case TOO_LARGE -> 413;
      case LOCKED -> 423;
      case DIGEST_MISMATCH -> 422;
      case OUT_OF_SPACE -> 507;
      case PERMISSION_DENIED -> 403;
      case UNAUTHENTICATED -> 401;
      case CANCELLED -> 499;
      case DEADLINE_EXCEEDED -> 504;
      case OVERLOADED, UNAVAILABLE -> 503;
      case INTERNAL -> 500;
    };
  }

  /** The {@code type} of the problem details for a kind. */
  public static String problemType(ErrorKind kind) {
    return PROBLEM_TYPE_PREFIX + wireName(kind);
  }

  /**
   * The kind of an HTTP error: from its problem type if it has a known one, otherwise from its
   * status.
   */
  public static ErrorKind fromHttp(int status, @Nullable String problemType) {
    if (MISMATCHING_OFFSET.equals(problemType)) {
      return ErrorKind.OFFSET_MISMATCH;
    }
    if (problemType != null && problemType.startsWith(PROBLEM_TYPE_PREFIX)) {
      ErrorKind kind = fromWireName(problemType.substring(PROBLEM_TYPE_PREFIX.length()));
      if (kind != null) {
        return kind;
      }
    }
    return switch (status) {
      case 404, 410 -> ErrorKind.NOT_FOUND;
      case 401 -> ErrorKind.UNAUTHENTICATED;
      case 403 -> ErrorKind.PERMISSION_DENIED;
      case 408, 504 -> ErrorKind.DEADLINE_EXCEEDED;
      case 409, 412 -> ErrorKind.ALREADY_EXISTS;
      case 413 -> ErrorKind.TOO_LARGE;
      case 423 -> ErrorKind.LOCKED;
      case 429 -> ErrorKind.OVERLOADED;
      case 499 -> ErrorKind.CANCELLED;
      case 507 -> ErrorKind.OUT_OF_SPACE;
      case 502, 503 -> ErrorKind.UNAVAILABLE;
      default -> status < 500 ? ErrorKind.INVALID_REQUEST : ErrorKind.INTERNAL;
    };
  }

  /** Converts a failure to the status with which a gRPC server closes the call. */
  public static StatusRuntimeException toStatus(Throwable failure, String name) {
    if (failure instanceof StatusRuntimeException status) {
      return status;
    }
    if (failure instanceof StatusException status) {
      return status.getStatus().asRuntimeException(status.getTrailers());
    }
    FerryException ferry =
        failure instanceof IOException e
            ? FerryException.of(e, name)
            : new FerryException(ErrorKind.INTERNAL, name + ": " + failure, failure);
    Metadata trailers = new Metadata();
    trailers.put(KIND_TRAILER, wireName(ferry.kind()));
    RetryHints.put(trailers, ferry);
    return grpcCode(ferry.kind())
        .toStatus()
        .withDescription(abbreviated(String.valueOf(ferry.getMessage())))
        .withCause(ferry)
        .asRuntimeException(trailers);
  }

  /**
   * Shortens a message. Trailers of over 8 KiB would fail the call with an error about the
   * trailers.
   */
  static String abbreviated(String message) {
    if (message.length() <= MAX_DESCRIPTION) {
      return message;
    }
    int half = MAX_DESCRIPTION / 2;
    return message.substring(0, half) + "..." + message.substring(message.length() - half);
  }

  /** Converts the status of a failed call to the exception that a gRPC client throws. */
  public static FerryException fromStatus(Throwable failure, String name) {
    FerryException told = told(failure);
    if (told != null) {
      return told;
    }
    Status status = Status.fromThrowable(failure);
    return RetryHints.add(
        new FerryException(kind(status), description(status, name), failure), failure);
  }

  /** As {@link #fromStatus(Throwable, String)}, with details from the report of the call. */
  public static FerryException fromStatus(Throwable failure, CallReport report) {
    FerryException told = told(failure);
    if (told != null) {
      return told;
    }
    Status status = Status.fromThrowable(failure);
    if (status.getCode() == Status.Code.DEADLINE_EXCEEDED && report.isTimed()) {
      return report.overdue(failure);
    }
    FerryException broken = BrokenCalls.failure(status, kind(status), failure, report);
    return broken == null ? fromStatus(failure, report.name()) : broken;
  }

  /**
   * Returns a local FerryException among the causes, or the error in the server's trailer; null if
   * there is neither.
   */
  private static @Nullable FerryException told(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof FerryException local) {
        return local;
      }
    }
    Metadata trailers = Status.trailersFromThrowable(failure);
    ErrorKind kind = fromWireName(trailers == null ? null : trailers.get(KIND_TRAILER));
    if (kind == null) {
      return null;
    }
    Status status = Status.fromThrowable(failure);
    // As it is: it may have names with line breaks.
    String text = status.getDescription();
    String message = text == null ? wireName(kind) + ": " + status.getCode() : text;
    return RetryHints.add(new FerryException(kind, message, failure), failure);
  }

  private static ErrorKind kind(Status status) {
    return isBrokenConnection(status) ? ErrorKind.UNAVAILABLE : fromGrpcCode(status.getCode());
  }

  private static String description(Status status, String name) {
    String description = status.getDescription();
    return description == null ? name + ": " + status.getCode() : inOneLine(description);
  }

  /**
   * grpc-okhttp uses INTERNAL if a read fails in the middle of a frame. grpc-netty uses UNKNOWN if
   * a write fails before the transport notices that its channel is closed. A proxy that loses its
   * server may end the response without trailers, as HAProxy does, which is INTERNAL as well.
   */
  private static boolean isBrokenConnection(Status status) {
    return switch (status.getCode()) {
      case INTERNAL ->
          (OKHTTP_READ_FAILED.equals(status.getDescription())
                  && status.getCause() instanceof IOException)
              || String.valueOf(status.getDescription()).startsWith(NO_TRAILERS);
      case UNKNOWN -> status.getCause() instanceof ClosedChannelException;
      default -> false;
    };
  }

  /** grpc-java describes a failure in several lines. */
  private static String inOneLine(String text) {
    return text.lines().map(String::strip).collect(Collectors.joining("; "));
  }

  private static ErrorKind fromGrpcCode(Status.Code code) {
    return switch (code) {
      case NOT_FOUND -> ErrorKind.NOT_FOUND;
      case INVALID_ARGUMENT, FAILED_PRECONDITION, UNIMPLEMENTED -> ErrorKind.INVALID_REQUEST;
      case ALREADY_EXISTS -> ErrorKind.ALREADY_EXISTS;
      // Other gRPC peers use RESOURCE_EXHAUSTED if a message exceeds their limit.
      case OUT_OF_RANGE, RESOURCE_EXHAUSTED -> ErrorKind.TOO_LARGE;
      case DATA_LOSS -> ErrorKind.INCOMPLETE;
      case ABORTED -> ErrorKind.FILE_CHANGED;
      case PERMISSION_DENIED -> ErrorKind.PERMISSION_DENIED;
      case UNAUTHENTICATED -> ErrorKind.UNAUTHENTICATED;
      case DEADLINE_EXCEEDED -> ErrorKind.DEADLINE_EXCEEDED;
      // CANCELLED without Ferry's trailer means that the stream was reset: the peer is shutting
      // down.
      case CANCELLED, UNAVAILABLE -> ErrorKind.UNAVAILABLE;
      case OK, UNKNOWN, INTERNAL -> ErrorKind.INTERNAL;
    };
  }
}
