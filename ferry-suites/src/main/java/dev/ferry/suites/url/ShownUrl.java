package dev.ferry.suites.url;

import java.net.URI;
import java.util.regex.Pattern;

/**
 * Addresses as reports, logs and messages show them: without query and user info, either of which
 * may be confidential.
 */
public final class ShownUrl {
  /** Stands for a query. */
  public static final String QUERY = "?…";

  private static final Pattern USER = Pattern.compile("(\\b[a-zA-Z][a-zA-Z0-9+.-]*://)[^/?#\\s]*@");
  private static final Pattern TEXT_QUERY =
      Pattern.compile("(\\b[a-zA-Z][a-zA-Z0-9+.-]*://[^?\\s]*)\\?\\S*");

  private ShownUrl() {}

  /**
   * Returns an address as it is shown.
   *
   * @param address as typed, with any characters
   */
  public static String of(String address) {
    int query = address.indexOf('?');
    return withoutUsers(query < 0 ? address : address.substring(0, query) + QUERY);
  }

  /**
   * Returns a text in which all addresses are as they are shown.
   *
   * @param url an address whose query may also stand alone in the text
   */
  public static String in(String text, URI url) {
    String query = url.getRawQuery();
    String shown = TEXT_QUERY.matcher(withoutUsers(text)).replaceAll("$1" + QUERY);
    return query == null || query.isEmpty() ? shown : shown.replace("?" + query, QUERY);
  }

  private static String withoutUsers(String text) {
    return USER.matcher(text).replaceAll("$1");
  }
}
