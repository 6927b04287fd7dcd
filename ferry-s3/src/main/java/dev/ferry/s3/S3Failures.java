package dev.ferry.s3;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.time.Duration;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Says what a failed request to the object store means for the caller of the store. */
final class S3Failures {
  static final int NOT_FOUND = 404;
  static final int CONFLICT = 409;
  static final int PRECONDITION_FAILED = 412;
  static final int NOT_IMPLEMENTED = 501;

  private static final int FORBIDDEN = 403;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVER_ERROR = 500;
  private static final int SERVICE_UNAVAILABLE = 503;

  /** When a client should try again. */
  private static final Duration SOON = Duration.ofSeconds(1);

  private S3Failures() {}

  /** Returns whether an upload in parts is not known: it was completed or discarded. */
  static boolean isUnknownUpload(SdkException e) {
    return e instanceof S3Exception s3
        && s3.awsErrorDetails() != null
        && "NoSuchUpload".equals(s3.awsErrorDetails().errorCode());
  }

  /** Returns the HTTP status of a response; 0 if there was none. */
  static int status(SdkException e) {
    return e instanceof S3Exception s3 ? s3.statusCode() : 0;
  }

  /**
   * Converts a failure of the SDK.
   *
   * @param label the name of the file in messages
   */
  static FerryException of(SdkException e, String label) {
    if (e instanceof AbortedException) {
      return new FerryException(ErrorKind.CANCELLED, label + ": cancelled", e);
    }
    if (!(e instanceof S3Exception s3)) {
      return new FerryException(
              ErrorKind.UNAVAILABLE,
              label + ": the object store cannot be reached: " + reason(e),
              e)
          .withRetryAfter(SOON);
    }
    String code = s3.awsErrorDetails() == null ? "" : s3.awsErrorDetails().errorCode();
    if (code.equals("QuotaExceeded") || code.equals("InsufficientCapacity")) {
      return new FerryException(
          ErrorKind.OUT_OF_SPACE, label + ": the object store is full or over its quota", e);
    }
    if (code.equals("EntityTooLarge")) {
      return new FerryException(ErrorKind.TOO_LARGE, label + ": too large for the store", e);
    }
    int status = s3.statusCode();
    if (status == NOT_FOUND) {
      return new FerryException(
          ErrorKind.NOT_FOUND,
          label + (code.equals("NoSuchBucket") ? ": the bucket does not exist" : ": no such file"),
          e);
    }
    if (status == PRECONDITION_FAILED) {
      return new FerryException(
          ErrorKind.VERSION_MISMATCH, label + ": does not have the requested version", e);
    }
    if (status == FORBIDDEN) {
      return new FerryException(
          ErrorKind.PERMISSION_DENIED, label + ": the object store denies access: " + code, e);
    }
    if (status == TOO_MANY_REQUESTS || status == SERVICE_UNAVAILABLE) {
      return new FerryException(ErrorKind.OVERLOADED, label + ": the object store is overloaded", e)
          .withRetryAfter(SOON);
    }
    if (status >= SERVER_ERROR) {
      return new FerryException(
              ErrorKind.UNAVAILABLE, label + ": the object store failed: " + code, e)
          .withRetryAfter(SOON);
    }
    return new FerryException(
        ErrorKind.INTERNAL, label + ": the object store refuses a request: " + reason(e), e);
  }

  /**
   * Converts the loss of a connection within a response.
   *
   * @param label the name of the file in messages
   */
  static FerryException lost(Exception e, String label) {
    return new FerryException(
            ErrorKind.UNAVAILABLE, label + ": lost the object store: " + e.getMessage(), e)
        .withRetryAfter(SOON);
  }

  private static String reason(SdkException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason given");
  }
}
