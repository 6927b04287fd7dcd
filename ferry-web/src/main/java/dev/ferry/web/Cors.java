package dev.ferry.web;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.cors.CorsService;
import com.linecorp.armeria.server.cors.CorsServiceBuilder;
import dev.ferry.contract.HttpRoutes;
import dev.ferry.net.CrossOrigin;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** How pages of other origins come to use the web port: Armeria's answers to their browsers. */
final class Cors {
  private static final Duration PREFLIGHT_AGE = Duration.ofHours(1);

  /** What a page may read of an answer beside the fields that are always open. */
  private static final String[] EXPOSED = {
    "grpc-status",
    "grpc-message",
    "grpc-encoding",
    "grpc-accept-encoding",
    "ferry-error",
    HttpRoutes.ERROR_DETAIL,
    HttpRoutes.UNENCODED_DIGEST,
    HttpRoutes.UNENCODED_LENGTH,
    HttpRoutes.LAST_MODIFIED,
    HttpRoutes.DIRECTORY,
    "etag",
    "content-encoding",
    "content-length",
  };

  private Cors() {}

  /** What answers preflights and marks answers; nothing where other origins are shut out. */
  static Optional<Function<? super HttpService, ? extends HttpService>> decorator(
      CrossOrigin allowed) {
    if (allowed.origins().isEmpty()) {
      return Optional.empty();
    }
    CorsServiceBuilder cors =
        allowed.equals(CrossOrigin.ANY)
            ? CorsService.builderForAnyOrigin()
            : CorsService.builder(allowed.origins());
    return Optional.of(
        cors.allowRequestMethods(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.PUT, HttpMethod.POST)
            .allowAllRequestHeaders(true)
            .exposeHeaders(EXPOSED)
            .maxAge(PREFLIGHT_AGE)
            .newDecorator());
  }
}
