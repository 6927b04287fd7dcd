package dev.ferry.cli.program;

/** A command cannot be executed as given. The message is one line that says what to do instead. */
public final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public Refusal(String message) {
    super(message);
  }
}
