package dev.ferry.wire;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Web origins whose pages may use a server from a browser.
 *
 * @param origins for instance {@code https://example.org}; {@code *} alone allows all; empty allows
 *     none
 */
public record CrossOrigin(List<String> origins) {
  /** Scheme, host and port (RFC 6454). Browsers send no trailing slash. */
  private static final Pattern ORIGIN = Pattern.compile("[a-z][a-z0-9+.-]*://[a-z0-9.\\-\\[\\]:]+");

  private static final int MAX_LENGTH = 300;
  private static final String EVERY = "*";

  /** Allows only pages of the server's own origin. */
  public static final CrossOrigin NONE = new CrossOrigin(List.of());

  /**
   * Allows pages of every origin. Any page that a user opens can then use the store as that user.
   */
  public static final CrossOrigin ANY = new CrossOrigin(List.of(EVERY));

  /**
   * Copies the origins.
   *
   * @throws IllegalArgumentException if an origin is invalid, or {@code *} is not alone
   */
  public CrossOrigin {
    origins = List.copyOf(origins);
    for (String origin : origins) {
      if (!isOrigin(origin) && !(origin.equals(EVERY) && origins.size() == 1)) {
        throw new IllegalArgumentException(
            "'" + origin + "' is neither an origin such as https://example.org nor *");
      }
    }
  }

  /** Whether pages of this origin may use the server. */
  public boolean allows(String origin) {
    return origins.contains(origin) || origins.contains(EVERY);
  }

  /**
   * Whether the text is a valid origin. {@code null}, which browsers send for opaque origins, is
   * not.
   */
  public static boolean isOrigin(String text) {
    return text.length() <= MAX_LENGTH && ORIGIN.matcher(text).matches();
  }
}
