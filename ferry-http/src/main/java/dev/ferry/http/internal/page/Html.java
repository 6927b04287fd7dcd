package dev.ferry.http.internal.page;

import dev.ferry.wire.internal.contract.BasePath;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;

/** A template of a page, and what its values need. Thread-safe. */
final class Html {
  /** Scripts and styles with the nonce alone; no frame of another site shows the page. */
  private static final String POLICY =
      "default-src 'none'; script-src 'nonce-%1$s'; style-src 'nonce-%1$s'; worker-src 'self';"
          + " connect-src 'self'; img-src 'self' data:; media-src 'self'; frame-src 'self';"
          + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

  private static final int NONCE_BYTES = 18;
  private static final int CONTROL_PICTURES = 0x2400;
  private static final char DELETE = 0x7f;
  private static final char DELETE_PICTURE = 0x2421;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final String[] parts;

  /**
   * @param template text with {@code {{NAME}}} where values are put in
   */
  Html(String template) {
    parts =
        template
            .replace("{{style}}", "{{base}}" + Assets.STYLE.path())
            .replace("{{script}}", "{{base}}" + Assets.SCRIPT.path())
            .split("\\{\\{|}}", -1);
  }

  /**
   * Fills the template.
   *
   * @param base the path below which the page and its assets are
   * @param values for each name in it, HTML that is put in as it is
   */
  Page page(BasePath base, Map<String, String> values) {
    byte[] random = new byte[NONCE_BYTES];
    RANDOM.nextBytes(random);
    String nonce = Base64.getEncoder().encodeToString(random);
    StringBuilder html = new StringBuilder();
    for (int i = 0; i < parts.length; i++) {
      html.append(
          i % 2 == 0
              ? parts[i]
              : switch (parts[i]) {
                case "nonce" -> nonce;
                case "base" -> base.value();
                default -> values.get(parts[i]);
              });
    }
    return new Page(html.toString(), POLICY.formatted(nonce));
  }

  /** Escapes text for an element or a quoted attribute. */
  static String escaped(String text) {
    StringBuilder html = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '&' -> html.append("&amp;");
                case '<' -> html.append("&lt;");
                case '>' -> html.append("&gt;");
                case '"' -> html.append("&quot;");
                case '\'' -> html.append("&#39;");
                default -> appendVisible(html, c);
              }
            });
    return html.toString();
  }

  /**
   * Appends a character so that people see it: a picture of a control character, and the number of
   * another one that has no shape, breaks the line, or changes the order of others.
   */
  private static void appendVisible(StringBuilder html, int c) {
    if (c < ' ') {
      html.append((char) (CONTROL_PICTURES + c));
    } else if (c == DELETE) {
      html.append(DELETE_PICTURE);
    } else if (isUnseen(c)) {
      html.append("[U+%04X]".formatted(c));
    } else {
      html.appendCodePoint(c);
    }
  }

  /**
   * Whether a character is not seen, or only by what it does to others. That of Persian and of
   * families of emoji are shown, too, since they make two names look the same.
   */
  private static boolean isUnseen(int c) {
    int type = Character.getType(c);
    return Character.isISOControl(c)
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR
        || type == Character.FORMAT;
  }
}
