package dev.ferry.suites.calls.service.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.suites.calls.service.Backend;
import dev.ferry.suites.calls.service.ConcurrencyLimiter;
import dev.ferry.suites.calls.service.LogRecord;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Handles small calls on the event loop: those of a connection of HTTP/1.1 one after another, or
 * the one of a stream of HTTP/2.
 */
final class CallsHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
  private static final int FIRST_BUFFER = 1024;

  private final Backend backend;
  private final ConcurrencyLimiter limiter;
  private @Nullable RowLines lines;

  CallsHandler(Backend backend, ConcurrencyLimiter limiter) {
    this.backend = backend;
    this.limiter = limiter;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
    if (lines != null || request.decoderResult().isFailure()) {
      // No client of the bench sends a request before it has read the response to the last one.
      context.close();
      return;
    }
    try {
      limiter.enter();
    } catch (FerryException e) {
      refuse(context, request, e);
      return;
    }
    try {
      call(context, request);
    } catch (FerryException e) {
      limiter.leave();
      refuse(context, request, e);
    } catch (RuntimeException e) {
      limiter.leave();
      throw e;
    }
  }

  private void call(ChannelHandlerContext context, FullHttpRequest request) throws FerryException {
    CallQuery query = CallQuery.parse(request.uri());
    if (request.method().equals(HttpMethod.POST) && query.path().equals(CallRoutes.LOGS)) {
      respond(context, new CallJson.Receipt(backend.log(record(request))));
      return;
    }
    if (!request.method().equals(HttpMethod.GET)) {
      throw query.notFound();
    }
    switch (query.path()) {
      case CallRoutes.ROWS -> {
        long count = query.number(CallRoutes.COUNT);
        if (request.headers().get(HttpHeaderNames.ACCEPT, "").contains(CallRoutes.NDJSON)) {
          stream(context, backend.requireRows(count));
        } else {
          respond(context, backend.rows(count));
        }
      }
      case CallRoutes.ITEMS -> respond(context, backend.items(query.number(CallRoutes.COUNT)));
      case CallRoutes.USERS -> {
        long page = query.number(CallRoutes.PAGE);
        respond(context, backend.users(page, query.number(CallRoutes.SIZE)));
      }
      default -> respond(context, backend.logRecord(query.logRecord()));
    }
  }

  private static LogRecord record(FullHttpRequest request) throws FerryException {
    try (ByteBufInputStream in = new ByteBufInputStream(request.content())) {
      return CallJson.LOG.readValue((InputStream) in);
    } catch (JsonProcessingException e) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, "the body is not a log record: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new IllegalStateException("memory has every byte", e);
    }
  }

  private void stream(ChannelHandlerContext context, long count) throws FerryException {
    RowLines body = new RowLines(context, backend.rows(), count);
    long taken = limiter.take(body.mostHeld());
    lines = body;
    body.start(
        () -> {
          lines = null;
          over(taken);
        });
  }

  private void respond(ChannelHandlerContext context, Object value) throws FerryException {
    ByteBuf body = CallJson.toBuffer(context.alloc(), FIRST_BUFFER, value);
    long taken;
    try {
      taken = limiter.take(body.capacity());
    } catch (FerryException e) {
      body.release();
      throw e;
    }
    FullHttpResponse response =
        response(HttpResponseStatus.OK, HttpHeaderValues.APPLICATION_JSON, body);
    context.writeAndFlush(response).addListener(sent -> over(taken));
  }

  private void over(long taken) {
    limiter.give(taken);
    limiter.leave();
  }

  private static void refuse(
      ChannelHandlerContext context, FullHttpRequest request, FerryException failure) {
    ByteBuf body = CallJson.toBuffer(context.alloc(), FIRST_BUFFER, CallJson.Problem.of(failure));
    if (request.method().equals(HttpMethod.HEAD)) {
      body.clear();
    }
    context.writeAndFlush(response(status(failure.kind()), CallRoutes.PROBLEM, body));
  }

  private static HttpResponseStatus status(ErrorKind kind) {
    return switch (kind) {
      case NOT_FOUND -> HttpResponseStatus.NOT_FOUND;
      case INVALID_REQUEST -> HttpResponseStatus.BAD_REQUEST;
      case OVERLOADED -> HttpResponseStatus.SERVICE_UNAVAILABLE;
      default -> HttpResponseStatus.INTERNAL_SERVER_ERROR;
    };
  }

  private static FullHttpResponse response(
      HttpResponseStatus status, CharSequence type, ByteBuf body) {
    FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, type);
    HttpUtil.setContentLength(response, body.readableBytes());
    return response;
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (lines != null) {
      lines.send();
    }
    context.fireChannelWritabilityChanged();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (lines != null) {
      lines.abort();
    }
    context.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    context.close();
  }
}
