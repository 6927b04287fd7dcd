package dev.ferry.cli.program;

/** Something that cannot be done as it was asked for, in one line that says what to do instead. */
public final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public Refusal(String message) {
    super(message);
  }
}
