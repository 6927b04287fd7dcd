package dev.ferry.core.internal;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Text that is safe to print on one line. File names and messages of a peer may contain line
 * breaks, or escape sequences that would control the terminal. They are shown with the escapes that
 * {@code ls -b} and {@code printf} know.
 */
public final class PlainText {
  private PlainText() {}

  /** Returns a text with escapes for control characters and for what is no Unicode. */
  public static String of(String text) {
    if (!needsEscape(text)) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length() + 16);
    text.codePoints().forEach(c -> append(out, c));
    return out.toString();
  }

  /** Returns the text of UTF-8, with escapes also for the bytes that are no UTF-8. */
  public static String of(byte[] utf8) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(utf8);
    CharBuffer chars = CharBuffer.allocate(utf8.length);
    StringBuilder out = new StringBuilder(utf8.length + 16);
    while (true) {
      CoderResult result = decoder.reset().decode(in, chars, true);
      out.append(of(chars.flip().toString()));
      chars.clear();
      if (!result.isError()) {
        return out.toString();
      }
      for (int i = 0; i < result.length(); i++) {
        appendHex(out, in.get());
      }
    }
  }

  private static boolean needsEscape(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c) || isLineBreak(c) || Character.isSurrogate(c)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isLineBreak(int c) {
    return c == '\u2028' || c == '\u2029';
  }

  private static void append(StringBuilder out, int c) {
    switch (c) {
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> {
        if (isLineBreak(c) || Character.getType(c) == Character.SURROGATE) {
          out.append("\\u").append(HexFormat.of().toHexDigits((char) c));
        } else if (Character.isISOControl(c)) {
          for (byte b : Character.toString(c).getBytes(StandardCharsets.UTF_8)) {
            appendHex(out, b);
          }
        } else {
          out.appendCodePoint(c);
        }
      }
    }
  }

  private static void appendHex(StringBuilder out, byte b) {
    out.append("\\x").append(HexFormat.of().toHexDigits(b));
  }
}
