package dev.ferry.cli.doctor;

/**
 * What was found out about one thing.
 *
 * @param level whether a server can run with it
 * @param subject what it is about, in one or two words
 * @param text what it is and what that means, on one line; if it is not in order, also the remedy
 */
public record Finding(Level level, String subject, String text) {
  /** Whether a server can run. */
  public enum Level {
    /** In order. */
    OK,
    /** A server runs, but something is slower or smaller than it could be. */
    NOTE,
    /** A server does not run, or nobody can use it. */
    FAULT
  }

  static Finding ok(String subject, String text) {
    return new Finding(Level.OK, subject, text);
  }

  static Finding note(String subject, String text) {
    return new Finding(Level.NOTE, subject, text);
  }

  static Finding fault(String subject, String text) {
    return new Finding(Level.FAULT, subject, text);
  }
}
