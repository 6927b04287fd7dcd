package dev.ferry.cli.program;

/** Text as it is safe and pleasant to print. */
public final class PlainText {
  private PlainText() {}

  /**
   * Makes one line of a text: a peer's message or file name may hold line breaks, or escape
   * sequences that would steer the terminal.
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
