package dev.ferry.suites.calls.service.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.http.internal.server.Exchange;
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
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Handles small calls on the event loop. */
final class CallsHandler implements RequestHandler, Exchange.Work {
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
  public void handle(Exchange exchange) throws FerryException {
    // Not busy even while it writes: a connection whose client accepts no data counts as idle.
    exchange.goesOnWith(this);
    CallQuery query = CallQuery.parse(exchange.http().uri());
    if (exchange.method().equals(HttpMethod.GET)) {
      get(exchange, query);
    } else if (exchange.method().equals(HttpMethod.POST) && query.path().equals(CallRoutes.LOGS)) {
      log(exchange);
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
  public void over() {
    lines = null;
    if (admitted) {
      admitted = false;
      limiter.leave();
    }
    limiter.give(taken);
    taken = 0;
  }

  private void get(Exchange exchange, CallQuery query) throws FerryException {
    admit();
    ChannelHandlerContext context = exchange.context();
    switch (query.path()) {
      case CallRoutes.ROWS -> {
        long count = query.number(CallRoutes.COUNT);
        if (exchange.http().headers().get(HttpHeaderNames.ACCEPT, "").contains(CallRoutes.NDJSON)) {
          stream(exchange, new RowLines(context, backend.rows(), backend.requireRows(count)));
        } else {
          exchange.respond(json(context, backend.rows(count)));
        }
      }
      case CallRoutes.ITEMS ->
          exchange.respond(json(context, backend.items(query.number(CallRoutes.COUNT))));
      case CallRoutes.USERS -> {
        long page = query.number(CallRoutes.PAGE);
        exchange.respond(json(context, backend.users(page, query.number(CallRoutes.SIZE))));
      }
      default -> exchange.respond(json(context, backend.logRecord(query.logRecord())));
    }
  }

  private void stream(Exchange exchange, RowLines body) throws FerryException {
    taken = limiter.take(body.mostHeld());
    exchange.addFields(body.head());
    lines = body;
    body.start(exchange::responded);
  }

  private void log(Exchange exchange) throws FerryException {
    if (HttpUtil.getContentLength(exchange.http(), 0L) > CallRoutes.MAX_BODY) {
      throw tooLarge();
    }
    exchange.receive(new LogBody(exchange));
  }

  private static FerryException tooLarge() {
    return new FerryException(
        ErrorKind.TOO_LARGE, "the request has more than " + CallRoutes.MAX_BODY + " bytes");
  }

  /** Collects the body of a log record. */
  private final class LogBody implements Exchange.Body {
    private final Exchange exchange;
    private @Nullable ByteBuf collected;

    LogBody(Exchange exchange) {
      this.exchange = exchange;
    }

    @Override
    public boolean receive(ByteBuf buffer, boolean last) {
      ByteBuf all = collected;
      if (all == null && last) {
        // Most bodies arrive in one buffer.
        all = buffer;
      } else {
        if (all == null) {
          all = exchange.context().alloc().buffer(buffer.readableBytes());
        }
        all.writeBytes(buffer);
        buffer.release();
      }
      collected = all;
      if (all.readableBytes() > CallRoutes.MAX_BODY) {
        abort();
        exchange.bodyEnded();
        exchange.refuse(tooLarge());
      } else if (last) {
        exchange.bodyEnded();
        finish(all);
      }
      return true;
    }

    private void finish(ByteBuf all) {
      collected = null;
      try (ByteBufInputStream in = new ByteBufInputStream(all, true)) {
        admit();
        LogRecord record = CallJson.LOG.readValue((InputStream) in);
        exchange.respond(json(exchange.context(), new CallJson.Receipt(backend.log(record))));
      } catch (JsonProcessingException e) {
        exchange.refuse(
            new FerryException(
                ErrorKind.INVALID_REQUEST,
                "the body is not a log record: " + e.getOriginalMessage(),
                e));
      } catch (IOException e) {
        exchange.refuse(e);
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
  public void writable() {
    if (lines != null) {
      lines.send();
    }
  }
}
