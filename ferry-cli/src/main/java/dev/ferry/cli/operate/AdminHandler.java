package dev.ferry.cli.operate;

import dev.ferry.core.ErrorKind;
import dev.ferry.http.internal.server.Exchange;
import dev.ferry.http.internal.server.RequestHandler;
import dev.ferry.http.internal.server.Responses;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;

/**
 * Handles the requests of the admin port.
 *
 * <p>The port is the HTTP server of files, so it has the same limits and the same rules about
 * {@code Host} and {@code Origin}. Its requests are not reported.
 */
final class AdminHandler implements RequestHandler {
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";
  private static final String LEVEL = "/log-level/";

  private final ServerMetrics metrics;
  private final BooleanSupplier draining;

  AdminHandler(ServerMetrics metrics, BooleanSupplier draining) {
    this.metrics = metrics;
    this.draining = draining;
  }

  @Override
  public void handle(Exchange exchange) {
    String path = exchange.request().rawPath();
    HttpMethod method = exchange.method();
    if (path.startsWith(LEVEL)) {
      exchange.respond(
          method.equals(HttpMethod.PUT)
              ? level(path.substring(LEVEL.length()))
              : notAllowed(method, "PUT"));
    } else if (method.equals(HttpMethod.GET)) {
      exchange.respond(get(path));
    } else {
      exchange.respondEarly(notAllowed(method, "GET"));
    }
  }

  private FullHttpResponse get(String path) {
    return switch (path) {
      case "/metrics" -> text(HttpResponseStatus.OK, METRICS, metrics.scrape());
      case "/live" -> text(HttpResponseStatus.OK, TEXT, "live\n");
      case "/ready" ->
          draining.getAsBoolean()
              ? text(HttpResponseStatus.SERVICE_UNAVAILABLE, TEXT, "draining\n")
              : text(HttpResponseStatus.OK, TEXT, "ready\n");
      case "/log-level" -> text(HttpResponseStatus.OK, TEXT, Logs.level() + "\n");
      default ->
          Responses.problem(
              ErrorKind.NOT_FOUND,
              "this port has GET /metrics, /live, /ready and /log-level, and PUT"
                  + " /log-level/LEVEL");
    };
  }

  private static FullHttpResponse level(String level) {
    try {
      Logs.setLevel(level);
      return text(HttpResponseStatus.OK, TEXT, Logs.level() + "\n");
    } catch (IllegalArgumentException e) {
      return Responses.problem(ErrorKind.INVALID_REQUEST, String.valueOf(e.getMessage()));
    }
  }

  private static FullHttpResponse notAllowed(HttpMethod method, String allowed) {
    FullHttpResponse response =
        Responses.problem(
            ErrorKind.INVALID_REQUEST,
            HttpResponseStatus.METHOD_NOT_ALLOWED.code(),
            method + ": not a method of this resource; send " + allowed);
    response.headers().set(HttpHeaderNames.ALLOW, allowed);
    return response;
  }

  private static FullHttpResponse text(HttpResponseStatus status, String type, String text) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, status, Unpooled.copiedBuffer(text, StandardCharsets.UTF_8));
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, type)
        .set(HttpHeaderNames.CACHE_CONTROL, "no-store");
    HttpUtil.setContentLength(response, response.content().readableBytes());
    return response;
  }
}
