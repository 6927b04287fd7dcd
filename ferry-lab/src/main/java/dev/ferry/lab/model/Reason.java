package dev.ferry.lab.model;

/** Why something failed, in one line for people. */
public final class Reason {
  private Reason() {}

  /** The first line of the message; what has none is named by its type, which is all it says. */
  public static String of(Throwable failure) {
    String message = failure.getMessage();
    return message == null || message.isBlank()
        ? failure.getClass().getSimpleName()
        : message.lines().findFirst().orElse(message);
  }

  /** Of what made a task fail that another thread ran. */
  public static String ofCause(Throwable wrapper) {
    Throwable cause = wrapper.getCause();
    return of(cause == null ? wrapper : cause);
  }
}
