package dev.ferry.http.internal.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerUpgradeHandler;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2CodecUtil;
import java.util.List;
import java.util.function.Supplier;

/**
 * Turns a connection to HTTP/2 where a request without a body asks for it ({@code Upgrade: h2c},
 * RFC 7540, 3.2). Requests with a body are answered in HTTP/1.1, as the RFC allows: their bodies
 * would have to be kept until the protocol has changed. All that asks for nothing passes untouched.
 */
final class H2cUpgrade extends HttpServerUpgradeHandler {
  private final RequestHandler handler;
  private boolean upgrading;

  /**
   * @param http1 what is replaced
   * @param handler what is replaced with it, if it is not at work
   * @param http2 makes what replaces them
   */
  H2cUpgrade(HttpServerCodec http1, RequestHandler handler, Supplier<UpgradeCodec> http2) {
    super(
        http1,
        protocol ->
            Http2CodecUtil.HTTP_UPGRADE_PROTOCOL_NAME.toString().contentEquals(protocol)
                ? http2.get()
                : null,
        0);
    this.handler = handler;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
    if (message instanceof HttpRequest request) {
      upgrading = wantsUpgrade(request);
    }
    if (upgrading) {
      super.channelRead(context, message);
    } else {
      context.fireChannelRead(message);
    }
  }

  private boolean wantsUpgrade(HttpRequest request) {
    return request
            .headers()
            .containsValue(HttpHeaderNames.UPGRADE, Http2CodecUtil.HTTP_UPGRADE_PROTOCOL_NAME, true)
        && request.decoderResult().isSuccess()
        && !HttpUtil.isTransferEncodingChunked(request)
        && HttpUtil.getContentLength(request, 0L) == 0
        // What is still answered would lose its codec.
        && handler.idle();
  }

  @Override
  protected void decode(ChannelHandlerContext context, HttpObject message, List<Object> out)
      throws Exception {
    super.decode(context, message, out);
    if (!out.isEmpty() && out.get(0) instanceof FullHttpRequest refused) {
      out.clear();
      out.add(
          new DefaultHttpRequest(
              refused.protocolVersion(), refused.method(), refused.uri(), refused.headers()));
      out.add(LastHttpContent.EMPTY_LAST_CONTENT);
      refused.release();
    }
  }
}
