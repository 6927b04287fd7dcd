package dev.ferry.cli.program;

/** Makes text safe to print. */
public final class PlainText {
  private PlainText() {}

  /**
   * Replaces line breaks and control characters. A peer's messages and file names may contain line
   * breaks, or escape sequences that would control the terminal.
   */
  public static String oneLine(String text) {
    StringBuilder out = new StringBuilder(text.length());
    text.strip()
        .replaceAll("\\R\\s*", " ")
        .codePoints()
        .map(c -> Character.isISOControl(c) ? '?' : c)
        .forEach(out::appendCodePoint);
    return out.toString();
  }
}
