package dev.ferry.web;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.cors.CorsService;
import com.linecorp.armeria.server.cors.CorsServiceBuilder;
import dev.ferry.contract.HttpRoutes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Which pages of other origins may use the web port from a browser.
 *
 * @param origins for instance {@code https://example.org}; {@code *} alone for all; empty for none
 */
public record CrossOrigin(List<String> origins) {
  /** Scheme, host and port, as RFC 6454 has it; a browser sends no slash behind. */
  private static final Pattern ORIGIN = Pattern.compile("[a-z][a-z0-9+.-]*://[a-z0-9.\\-\\[\\]:]+");

  /** Pages of the port's own origin alone. */
  public static final CrossOrigin NONE = new CrossOrigin(List.of());

  /**
   * Pages of every origin: whoever can get a user to open a page can use the store as that user.
   */
  public static final CrossOrigin ANY = new CrossOrigin(List.of("*"));

  private static final Duration PREFLIGHT_AGE = Duration.ofHours(1);

  /** What a page may read of an answer beside the fields that are always open. */
  private static final String[] EXPOSED = {
    "grpc-status",
    "grpc-message",
    "grpc-encoding",
    "grpc-accept-encoding",
    "ferry-error",
    HttpRoutes.UNENCODED_DIGEST,
    HttpRoutes.UNENCODED_LENGTH,
    HttpRoutes.LAST_MODIFIED,
    HttpRoutes.DIRECTORY,
    "etag",
    "content-encoding",
    "content-length",
  };

  /**
   * Copies the origins.
   *
   * @throws IllegalArgumentException where one is none, or {@code *} is not alone
   */
  public CrossOrigin {
    origins = List.copyOf(origins);
    for (String origin : origins) {
      if (!ORIGIN.matcher(origin).matches() && !(origin.equals("*") && origins.size() == 1)) {
        throw new IllegalArgumentException(
            "'" + origin + "' is no origin such as https://example.org, nor * alone");
      }
    }
  }

  /** What answers preflights and marks answers; nothing where other origins are shut out. */
  Optional<Function<? super HttpService, ? extends HttpService>> decorator() {
    if (origins.isEmpty()) {
      return Optional.empty();
    }
    CorsServiceBuilder cors =
        origins.equals(ANY.origins)
            ? CorsService.builderForAnyOrigin()
            : CorsService.builder(origins);
    return Optional.of(
        cors.allowRequestMethods(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.PUT, HttpMethod.POST)
            .allowAllRequestHeaders(true)
            .exposeHeaders(EXPOSED)
            .maxAge(PREFLIGHT_AGE)
            .newDecorator());
  }
}
