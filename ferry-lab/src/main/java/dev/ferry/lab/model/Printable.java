package dev.ferry.lab.model;

import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text that is safe to print on one line: reports and outputs of other programs may contain what
 * would control the terminal.
 */
public final class Printable {
  private static final Pattern UNSAFE = Pattern.compile("[\\p{Cc}\\p{Cs}\\u2028\\u2029]");

  private Printable() {}

  /** Returns a text with escapes for control characters, line breaks and what is no Unicode. */
  public static String of(String text) {
    return UNSAFE
        .matcher(text)
        .replaceAll(m -> Matcher.quoteReplacement(escape(m.group().charAt(0))));
  }

  private static String escape(char c) {
    return switch (c) {
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default ->
          c < 0x80
              ? "\\x" + HexFormat.of().toHexDigits((byte) c)
              : "\\u" + HexFormat.of().toHexDigits(c);
    };
  }
}
