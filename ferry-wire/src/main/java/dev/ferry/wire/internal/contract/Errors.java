package dev.ferry.wire.internal.contract;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Outage;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Maps an {@link ErrorKind} to HTTP, and back. {@link GrpcErrors} does for gRPC. */
public final class Errors {
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

  static @Nullable ErrorKind fromWireName(@Nullable String name) {
    for (ErrorKind kind : ErrorKind.values()) {
      if (wireName(kind).equals(name)) {
        return kind;
      }
    }
    return null;
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
      case 409, 412 -> ErrorKind.ALREADY_EXISTS;
      case 413 -> ErrorKind.TOO_LARGE;
      case 423 -> ErrorKind.LOCKED;
      case 429 -> ErrorKind.OVERLOADED;
      case 499 -> ErrorKind.CANCELLED;
      case 507 -> ErrorKind.OUT_OF_SPACE;
      // 408 and 504 are time limits of proxies, and not of the call.
      case 408, 502, 503, 504 -> ErrorKind.UNAVAILABLE;
      default -> status < 500 ? ErrorKind.INVALID_REQUEST : ErrorKind.INTERNAL;
    };
  }

  /**
   * Creates the exception for an error that the other end states.
   *
   * <p>The other end does not know how long a call may take. If it speaks of a deadline, it has
   * waited too long for a byte of this end, which may have been asleep: the call has stalled, and
   * another attempt makes sense.
   *
   * @param name what the call is about; empty for the root
   */
  public static FerryException stated(
      ErrorKind kind, String name, String message, @Nullable Throwable cause) {
    return kind == ErrorKind.DEADLINE_EXCEEDED
        ? new FerryException(
            ErrorKind.UNAVAILABLE,
            Outage.STALLED,
            name.isEmpty() ? message : name + ": " + message,
            cause)
        : new FerryException(kind, message, cause);
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
}
