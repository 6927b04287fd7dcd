package dev.ferry.http.internal.page;

import java.util.Map;

/**
 * A page to send.
 *
 * @param html the document
 * @param policy its {@code Content-Security-Policy}
 */
public record Page(String html, String policy) {
  private static final Html PROBLEM = new Html(Assets.text("problem.html"));

  /**
   * Makes the page that tells people why a request failed.
   *
   * @param title what has happened, in a word or two
   * @param detail one line
   */
  public static Page ofProblem(String title, String detail) {
    return PROBLEM.page(Map.of("title", Html.escaped(title), "detail", Html.escaped(detail)));
  }
}
