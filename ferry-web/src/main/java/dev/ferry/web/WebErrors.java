package dev.ferry.web;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.ferry.contract.Errors;
import dev.ferry.contract.HttpRoutes;
import dev.ferry.core.ErrorKind;
import dev.ferry.http.server.Responses;
import io.netty.handler.codec.http.FullHttpResponse;
import org.jspecify.annotations.Nullable;

/** Problem details for what Armeria refuses by itself. */
final class WebErrors implements ServerErrorHandler {
  /** What Armeria says of paths with {@code ..} or bad percent-encoding. */
  private static final String INVALID_PATH = "Invalid request path";

  @Override
  public @Nullable HttpResponse onServiceException(ServiceRequestContext context, Throwable cause) {
    return null;
  }

  @Override
  public AggregatedHttpResponse renderStatus(
      @Nullable ServiceRequestContext context,
      ServiceConfig config,
      @Nullable RequestHeaders headers,
      HttpStatus status,
      @Nullable String description,
      @Nullable Throwable cause) {
    FullHttpResponse problem = problem(status, headers, description);
    return AggregatedHttpResponse.of(Answers.head(problem), Answers.body(problem));
  }

  private static FullHttpResponse problem(
      HttpStatus status, @Nullable RequestHeaders headers, @Nullable String description) {
    if (status.equals(HttpStatus.NOT_FOUND)) {
      String path = headers == null ? "path" : headers.path();
      return Responses.problem(
          ErrorKind.NOT_FOUND, path + ": no such route; try " + HttpRoutes.FILES);
    }
    if (INVALID_PATH.equals(description)) {
      return Responses.problem(
          ErrorKind.INVALID_PATH, "invalid path: '..' and bad percent-encoding are not allowed");
    }
    String detail = description == null ? status.reasonPhrase() : description;
    return Responses.problem(Errors.fromHttp(status.code(), null), status.code(), detail);
  }
}
