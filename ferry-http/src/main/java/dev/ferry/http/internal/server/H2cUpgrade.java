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
 * Upgrades a connection to HTTP/2 if a request without a body requests it ({@code Upgrade: h2c},
 * RFC 7540, 3.2). Requests with a body are served over HTTP/1.1, which the RFC allows: otherwise
 * their bodies would have to be buffered until the upgrade is complete. All other requests pass
 * unchanged.
 */
final class H2cUpgrade extends HttpServerUpgradeHandler {
  private final ConnectionHandler handler;
  private boolean upgrading;

  /**
   * @param http1 the HTTP/1.1 codec to replace
   * @param handler the request handler to replace; there is no upgrade while it is busy
   * @param http2 creates the HTTP/2 handlers
   */
  H2cUpgrade(HttpServerCodec http1, ConnectionHandler handler, Supplier<UpgradeCodec> http2) {
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
        // A response in progress would lose its codec.
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
