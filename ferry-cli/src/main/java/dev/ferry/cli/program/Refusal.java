package dev.ferry.cli.program;

import dev.ferry.core.ErrorKind;

/** A command cannot be executed as given. The message is one line that says what to do instead. */
public class Refusal extends RuntimeException {
  private final ErrorKind kind;

  /**
   * @param kind decides the exit code
   */
  public Refusal(ErrorKind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /** The kind of the failure. */
  public ErrorKind kind() {
    return kind;
  }
}
