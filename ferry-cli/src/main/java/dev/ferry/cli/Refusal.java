package dev.ferry.cli;

/** Something that cannot be done as it was asked for, in one line that says what to do instead. */
final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Refusal(String message) {
    super(message);
  }
}
