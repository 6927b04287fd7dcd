package dev.ferry.suites.calls.service.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.http.internal.server.RequestHandler;
import dev.ferry.suites.calls.service.Backend;
import dev.ferry.suites.calls.service.ConcurrencyLimiter;
import dev.ferry.suites.calls.service.LogRecord;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Handles small calls on the event loop. */
final class CallsHandler extends RequestHandler {
  private static final int FIRST_BUFFER = 1024;

  private final Backend backend;
  private final ConcurrencyLimiter limiter;
  private @Nullable RowLines lines;
  private boolean admitted;
  private long taken;

  CallsHandler(Backend backend, ConcurrencyLimiter limiter) {
    this.backend = backend;
    this.limiter = limiter;
  }

  @Override
  protected void handle(ChannelHandlerContext context, HttpRequest request) throws FerryException {
    CallQuery query = CallQuery.parse(request.uri());
    if (request.method().equals(HttpMethod.GET)) {
      get(context, request, query);
    } else if (request.method().equals(HttpMethod.POST) && query.path().equals(CallRoutes.LOGS)) {
      log(context, request);
    } else {
      throw query.notFound();
    }
  }

  /** Admits or rejects a complete request. Incomplete requests do not count. */
  private void admit() throws FerryException {
    limiter.enter();
    admitted = true;
  }

  @Override
  protected void over() {
    lines = null;
    if (admitted) {
      admitted = false;
      limiter.leave();
    }
    limiter.give(taken);
    taken = 0;
  }

  private void get(ChannelHandlerContext context, HttpRequest request, CallQuery query)
      throws FerryException {
    admit();
    switch (query.path()) {
      case CallRoutes.ROWS -> {
        long count = query.number(CallRoutes.COUNT);
        if (request.headers().get(HttpHeaderNames.ACCEPT, "").contains(CallRoutes.NDJSON)) {
          stream(context, new RowLines(context, backend.rows(), backend.requireRows(count)));
        } else {
          respond(context, json(context, backend.rows(count)));
        }
      }
      case CallRoutes.ITEMS ->
          respond(context, json(context, backend.items(query.number(CallRoutes.COUNT))));
      case CallRoutes.USERS -> {
        long page = query.number(CallRoutes.PAGE);
        respond(context, json(context, backend.users(page, query.number(CallRoutes.SIZE))));
      }
      default -> respond(context, json(context, backend.logRecord(query.logRecord())));
    }
  }

  private void stream(ChannelHandlerContext context, RowLines body) throws FerryException {
    taken = limiter.take(body.mostHeld());
    connection(body.head());
    lines = body;
    body.start(failure -> responded(context, failure));
  }

  private void log(ChannelHandlerContext context, HttpRequest request) throws FerryException {
    if (HttpUtil.getContentLength(request, 0L) > CallRoutes.MAX_BODY) {
      throw tooLarge();
    }
    receiveBody(context, request, new LogBody(context));
  }

  private static FerryException tooLarge() {
    return new FerryException(
        ErrorKind.TOO_LARGE, "the request has more than " + CallRoutes.MAX_BODY + " bytes");
  }

  /** Collects the body of a log record. */
  private final class LogBody implements Body {
    private final ChannelHandlerContext context;
    private @Nullable ByteBuf collected;

    LogBody(ChannelHandlerContext context) {
      this.context = context;
    }

    @Override
    public boolean receive(ByteBuf buffer, boolean last) {
      ByteBuf all = collected;
      if (all == null && last) {
        // Most bodies arrive in one buffer.
        all = buffer;
      } else {
        if (all == null) {
          all = context.alloc().buffer(buffer.readableBytes());
        }
        all.writeBytes(buffer);
        buffer.release();
      }
      collected = all;
      if (all.readableBytes() > CallRoutes.MAX_BODY) {
        abort();
        bodyEnded();
        refuse(context, tooLarge());
      } else if (last) {
        bodyEnded();
        finish(all);
      }
      return true;
    }

    private void finish(ByteBuf all) {
      collected = null;
      try (ByteBufInputStream in = new ByteBufInputStream(all, true)) {
        admit();
        LogRecord record = CallJson.LOG.readValue((InputStream) in);
        respond(context, json(context, new CallJson.Receipt(backend.log(record))));
      } catch (JsonProcessingException e) {
        refuse(
            context,
            new FerryException(
                ErrorKind.INVALID_REQUEST,
                "the body is not a log record: " + e.getOriginalMessage(),
                e));
      } catch (IOException e) {
        refuse(context, e);
      }
    }

    @Override
    public void abort() {
      ByteBuf all = collected;
      collected = null;
      if (all != null) {
        all.release();
      }
    }
  }

  private FullHttpResponse json(ChannelHandlerContext context, Object value) throws FerryException {
    ByteBuf body = CallJson.toBuffer(context.alloc(), FIRST_BUFFER, value);
    try {
      taken = limiter.take(body.capacity());
    } catch (FerryException e) {
      body.release();
      throw e;
    }
    FullHttpResponse response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body);
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON);
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
  protected boolean busy() {
    // Not busy even while it writes: a connection whose client accepts no data counts as idle.
    return false;
  }
}
