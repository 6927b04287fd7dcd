package dev.ferry.cli;

import java.util.Locale;

/** Text as it is safe and pleasant to print. */
final class PlainText {
  private static final double BYTES_PER_MB = 1e6;

  private PlainText() {}

  /**
   * Makes one line of a text: a peer's message or file name may hold line breaks, or escape
   * sequences that would steer the terminal.
   */
  static String oneLine(String text) {
    StringBuilder out = new StringBuilder(text.length());
    text.strip()
        .replaceAll("\\R\\s*", " ")
        .codePoints()
        .map(c -> Character.isISOControl(c) ? '?' : c)
        .forEach(out::appendCodePoint);
    return out.toString();
  }

  /** Bytes in megabytes of 10^6 with one decimal, for instance {@code 25.1 MB}. */
  static String megabytes(double bytes) {
    return String.format(Locale.ROOT, "%.1f MB", bytes / BYTES_PER_MB);
  }
}
