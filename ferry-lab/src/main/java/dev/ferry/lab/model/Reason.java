package dev.ferry.lab.model;

/** Formats the reason of a failure as one line for display. */
public final class Reason {
  private Reason() {}

  /** Returns the first line of the message; if there is no message, the exception type. */
  public static String of(Throwable failure) {
    String message = failure.getMessage();
    return message == null || message.isBlank()
        ? failure.getClass().getSimpleName()
        : message.lines().findFirst().orElse(message);
  }

  /** Returns the reason of the cause of an exception that wraps the failure of another thread. */
  public static String ofCause(Throwable wrapper) {
    Throwable cause = wrapper.getCause();
    return of(cause == null ? wrapper : cause);
  }
}
