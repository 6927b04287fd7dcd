package dev.ferry.lab.model;

import org.jspecify.annotations.Nullable;

/**
 * A run that cannot be done. The message is one line for the user that states the input and the
 * remedy.
 */
public final class LabException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean usage;

  private LabException(String message, boolean usage, @Nullable Throwable cause) {
    super(message, cause);
    this.usage = usage;
  }

  /** Creates the exception for an invalid request. */
  public static LabException usage(String message) {
    return new LabException(message, true, null);
  }

  /** Creates the exception for a valid request that fails in this environment. */
  public static LabException failure(String message) {
    return new LabException(message, false, null);
  }

  /** Creates the exception for a valid request that fails in this environment. */
  public static LabException failure(String message, Throwable cause) {
    return new LabException(message, false, cause);
  }

  /** Returns whether the request itself is invalid. */
  public boolean usage() {
    return usage;
  }
}
