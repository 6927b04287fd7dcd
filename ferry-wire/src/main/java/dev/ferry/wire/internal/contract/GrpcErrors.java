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
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Maps an {@link ErrorKind} to gRPC, and back. It is not a part of {@link Errors}, since commands
 * over HTTP would load gRPC's classes with that, which takes a third of their time.
 */
public final class GrpcErrors {
  /** Trailer with the name of the kind, because several kinds share a gRPC status code. */
  public static final Metadata.Key<String> KIND_TRAILER =
      Metadata.Key.of("ferry-error", Metadata.ASCII_STRING_MARSHALLER);

  /** See gRPC proposal A6, "gRPC Retry Design". A negative or malformed number means never. */
  public static final Metadata.Key<String> PUSHBACK =
      Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER);

  private static final String OKHTTP_READ_FAILED = "error in frame handler";

  /** What grpc-java says of a response that ends in order, but without trailers. */
  private static final String NO_TRAILERS = "Received unexpected EOS on ";

  private GrpcErrors() {}

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
    trailers.put(KIND_TRAILER, Errors.wireName(ferry.kind()));
    put(trailers, ferry);
    return grpcCode(ferry.kind())
        .toStatus()
        .withDescription(Errors.abbreviated(String.valueOf(ferry.getMessage())))
        .withCause(ferry)
        .asRuntimeException(trailers);
  }

  /** Returns the status of a call whose metadata exceeds {@link Limits#MAX_FIELDS}. */
  public static StatusRuntimeException fieldsTooLarge() {
    Metadata trailers = new Metadata();
    trailers.put(KIND_TRAILER, Errors.wireName(ErrorKind.INVALID_REQUEST));
    return Status.RESOURCE_EXHAUSTED
        .withDescription(Limits.FIELDS_TOO_LARGE)
        .asRuntimeException(trailers);
  }

  /** Adds the time of a failure after which the server accepts another attempt to the trailers. */
  private static void put(Metadata trailers, FerryException failure) {
    Duration delay = failure.retryAfter();
    if (delay != null) {
      trailers.put(PUSHBACK, pushback(delay));
    }
  }

  /** Returns the value of {@link #PUSHBACK} for a time. */
  public static String pushback(Duration delay) {
    return String.valueOf(delay.plusNanos(999_999).toMillis());
  }

  /** Converts the status of a failed call to the exception that a gRPC client throws. */
  public static FerryException fromStatus(Throwable failure, String name) {
    FerryException told = told(failure, name);
    if (told != null) {
      return told;
    }
    Status status = Status.fromThrowable(failure);
    return add(new FerryException(kind(status), description(status, name), failure), failure);
  }

  /** As {@link #fromStatus(Throwable, String)}, with details from the report of the call. */
  public static FerryException fromStatus(Throwable failure, CallReport report) {
    FerryException told = told(failure, report.name());
    if (told != null) {
      return told;
    }
    Status status = Status.fromThrowable(failure);
    if (status.getCode() == Status.Code.DEADLINE_EXCEEDED) {
      String text =
          Objects.requireNonNullElse(status.getDescription(), status.getCode().toString());
      return report.isTimed()
          ? report.overdue(failure)
          : Errors.stated(ErrorKind.DEADLINE_EXCEEDED, report.name(), inOneLine(text), failure);
    }
    FerryException broken = BrokenCalls.failure(status, kind(status), failure, report);
    return broken == null ? fromStatus(failure, report.name()) : broken;
  }

  /**
   * Returns a local FerryException among the causes, or the error in the server's trailer; null if
   * there is neither.
   */
  private static @Nullable FerryException told(Throwable failure, String name) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof FerryException local) {
        return local;
      }
    }
    Metadata trailers = Status.trailersFromThrowable(failure);
    ErrorKind kind = Errors.fromWireName(trailers == null ? null : trailers.get(KIND_TRAILER));
    if (kind == null) {
      return null;
    }
    Status status = Status.fromThrowable(failure);
    // As it is: it may have names with line breaks.
    String text = status.getDescription();
    String message = text == null ? Errors.wireName(kind) + ": " + status.getCode() : text;
    return add(Errors.stated(kind, name, message, failure), failure);
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

  /** Adds the hint of a gRPC status to the failure that it stands for. */
  static FerryException add(FerryException failure, Throwable status) {
    Metadata trailers = Status.trailersFromThrowable(status);
    String pushback = trailers == null ? null : trailers.get(PUSHBACK);
    boolean exhausted =
        Status.fromThrowable(status).getCode() == Status.Code.RESOURCE_EXHAUSTED
            && failure.kind() != ErrorKind.OUT_OF_SPACE;
    if (pushback == null) {
      return RetryHints.isBusy(failure) ? failure.withRetryAfter(Duration.ZERO) : failure;
    }
    return (RetryHints.isBusy(failure) || exhausted)
            && RetryHints.NUMBER.matcher(pushback).matches()
        ? failure.withRetryAfter(Duration.ofMillis(Long.parseLong(pushback)))
        : failure;
  }
}
