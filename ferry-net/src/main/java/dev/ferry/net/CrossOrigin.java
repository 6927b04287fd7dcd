package dev.ferry.net;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Which pages of other origins may use a server from a browser.
 *
 * @param origins for instance {@code https://example.org}; {@code *} alone for all; empty for none
 */
public record CrossOrigin(List<String> origins) {
  /** Scheme, host and port, as RFC 6454 has it; a browser sends no slash behind. */
  private static final Pattern ORIGIN = Pattern.compile("[a-z][a-z0-9+.-]*://[a-z0-9.\\-\\[\\]:]+");

  private static final int MAX_LENGTH = 300;
  private static final String EVERY = "*";

  /** Pages of the server's own origin alone. */
  public static final CrossOrigin NONE = new CrossOrigin(List.of());

  /**
   * Pages of every origin: whoever can get a user to open a page can use the store as that user.
   */
  public static final CrossOrigin ANY = new CrossOrigin(List.of(EVERY));

  /**
   * Copies the origins.
   *
   * @throws IllegalArgumentException where one is none, or {@code *} is not alone
   */
  public CrossOrigin {
    origins = List.copyOf(origins);
    for (String origin : origins) {
      if (!isOrigin(origin) && !(origin.equals(EVERY) && origins.size() == 1)) {
        throw new IllegalArgumentException(
            "'" + origin + "' is no origin such as https://example.org, nor * alone");
      }
    }
  }

  /** Whether pages of an origin may use the server. */
  public boolean allows(String origin) {
    return origins.contains(origin) || origins.contains(EVERY);
  }

  /** Whether a text is the origin of a page that has one, and not {@code null} or rubbish. */
  public static boolean isOrigin(String text) {
    return text.length() <= MAX_LENGTH && ORIGIN.matcher(text).matches();
  }
}
