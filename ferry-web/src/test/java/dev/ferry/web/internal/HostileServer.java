package dev.ferry.web.internal;

import dev.ferry.core.FerryException;
import dev.ferry.http.internal.server.HttpServer;
import dev.ferry.http.internal.server.RequestHandler;
import dev.ferry.wire.ServerSettings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.Map;
import java.util.function.Supplier;

/** A server that sends the given response to every request, after the complete request. */
final class HostileServer implements AutoCloseable {
  /** How the connection goes on after the body of the response. */
  enum End {
    ORDERLY,
    NEVER,
    CUT
  }

  /** A response. */
  record Response(int status, Map<String, String> fields, byte[] body, End end) {}

  private final HttpServer server;
  private volatile Supplier<Response> next =
      () -> new Response(500, Map.of(), new byte[0], End.ORDERLY);

  HostileServer() throws FerryException {
    server =
        HttpServer.start(
            "hostile", "127.0.0.1", 0, ServerSettings.defaults(), () -> new Handler(), () -> {});
  }

  int port() {
    return server.port();
  }

  void respondWith(Supplier<Response> response) {
    next = response;
  }

  @Override
  public void close() {
    server.closeNow();
  }

  private final class Handler extends RequestHandler {
    @Override
    protected void handle(ChannelHandlerContext context, HttpRequest request) {
      receiveBody(
          context,
          request,
          new Body() {
            @Override
            public boolean receive(ByteBuf buffer, boolean last) {
              buffer.release();
              if (last) {
                bodyEnded();
                respond(context, next.get());
              }
              return true;
            }

            @Override
            public void abort() {}
          });
    }

    private void respond(ChannelHandlerContext context, Response response) {
      HttpResponse head =
          new DefaultHttpResponse(
              HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(response.status()));
      response.fields().forEach(head.headers()::set);
      HttpUtil.setTransferEncodingChunked(head, true);
      connection(head);
      context.write(head);
      ChannelFuture sent =
          context.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(response.body())));
      switch (response.end()) {
        case CUT -> sent.addListener(f -> context.close());
        case ORDERLY ->
            context
                .writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT)
                .addListener(f -> responded(context, f.cause()));
        case NEVER -> {}
      }
    }

    @Override
    protected boolean busy() {
      return true;
    }
  }
}
