package dev.ferry.lab.model;

import org.jspecify.annotations.Nullable;

/** A run that cannot be: one line for people that names the input and the remedy. */
public final class LabException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean usage;

  private LabException(String message, boolean usage, @Nullable Throwable cause) {
    super(message, cause);
    this.usage = usage;
  }

  /** The request itself makes no sense. */
  public static LabException usage(String message) {
    return new LabException(message, true, null);
  }

  /** The request is good, the world is not. */
  public static LabException failure(String message) {
    return new LabException(message, false, null);
  }

  /** The request is good, the world is not. */
  public static LabException failure(String message, Throwable cause) {
    return new LabException(message, false, cause);
  }

  /** Whether the caller asked for something that does not exist. */
  public boolean usage() {
    return usage;
  }
}
