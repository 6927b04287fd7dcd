package dev.ferry.lab.model;

import org.jspecify.annotations.Nullable;

/**
 * A run that cannot be done. The message is one line for the user that states the input and the
 * remedy.
 */
public final class LabException extends Exception {
  private final Kind kind;

  private enum Kind {
    USAGE,
    FAILURE,
    UNAVAILABLE
  }

  private LabException(String message, Kind kind, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** Creates the exception for an invalid request. */
  public static LabException usage(String message) {
    return new LabException(message, Kind.USAGE, null);
  }

  /** Creates the exception for a valid request that fails in this environment. */
  public static LabException failure(String message) {
    return new LabException(message, Kind.FAILURE, null);
  }

  /** Creates the exception for a valid request that fails in this environment. */
  public static LabException failure(String message, Throwable cause) {
    return new LabException(message, Kind.FAILURE, cause);
  }

  /** Creates the exception for a request that this machine lacks something for. */
  public static LabException unavailable(String message, @Nullable Throwable cause) {
    return new LabException(message, Kind.UNAVAILABLE, cause);
  }

  /** Returns whether the request itself is invalid. */
  public boolean usage() {
    return kind == Kind.USAGE;
  }

  /** Returns whether this machine lacks something that the request needs. */
  public boolean unavailable() {
    return kind == Kind.UNAVAILABLE;
  }
}
