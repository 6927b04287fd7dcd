package dev.ferry.http.internal.page;

import dev.ferry.wire.internal.contract.BasePath;
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
   * @param base the path below which the page is
   */
  public static Page ofProblem(String title, String detail, BasePath base) {
    return PROBLEM.page(base, Map.of("title", Html.escaped(title), "detail", Html.escaped(detail)));
  }
}
