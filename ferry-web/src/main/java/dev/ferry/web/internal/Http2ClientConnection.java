package dev.ferry.web.internal;

import dev.ferry.wire.internal.ReceiveWindows;
import dev.ferry.wire.internal.contract.Limits;
import dev.ferry.zerocopy.Http2Reads;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One HTTP/2 connection and its calls. Only the event loop accesses the state. */
final class Http2ClientConnection extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(Http2ClientConnection.class);

  /** Maximum size of a received frame: the size of an efficient write to the file. */
  private static final int MAX_FRAME = 256 * 1024;

  private static final int MAX_HEADER_LIST = 32 * 1024;

  private final Http2FrameCodec codec =
      Http2FrameCodecBuilder.forClient()
          .initialSettings(
              new Http2Settings()
                  .pushEnabled(false)
                  // Netty makes the window of the connection twice as large.
                  .initialWindowSize(ReceiveWindows.STREAM)
                  .maxFrameSize(MAX_FRAME)
                  .maxHeaderListSize(MAX_HEADER_LIST))
          .build();

  private final Future<Channel> connected;
  private final Set<Channel> streams = new HashSet<>();
  private int calls;
  private boolean leaving;
  private @Nullable Throwable failure;

  /** Starts to connect. */
  Http2ClientConnection(WebSockets sockets, EventLoop loop) {
    Http2Reads.tune(codec);
    connected = sockets.connect(loop, this::setUp);
  }

  private void setUp(Channel connection) {
    // The settings disable server push.
    connection.pipeline().addLast(codec, new Http2MultiplexHandler(new UnaskedClose()), this);
  }

  /** Returns whether the connection is closed or could not be established. */
  boolean isClosed() {
    return connected.isDone() && !(connected.isSuccess() && connected.getNow().isActive());
  }

  /** Returns whether another call may begin. */
  boolean takesMore() {
    int most =
        Math.min(Limits.MAX_CALLS_PER_CONNECTION, codec.connection().local().maxActiveStreams());
    return !leaving && calls < most;
  }

  /** Opens a stream for an exchange after the connection is established. */
  void open(WebExchange exchange) {
    calls++;
    connected.addListener(
        f -> {
          if (f.isSuccess()) {
            openStream(exchange);
          } else {
            calls--;
            exchange.failed(f.cause());
          }
        });
  }

  private void openStream(WebExchange exchange) {
    new Http2StreamChannelBootstrap(connected.getNow())
        .handler(
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel stream) {
                stream
                    .pipeline()
                    .addLast(
                        new Http2StreamFrameToHttpObjectCodec(false), exchange, new UnaskedClose());
              }
            })
        .open()
        .addListener((Future<Http2StreamChannel> f) -> opened(f, exchange));
  }

  private void opened(Future<Http2StreamChannel> opened, WebExchange exchange) {
    if (!opened.isSuccess()) {
      calls--;
      exchange.failed(opened.cause());
      return;
    }
    Http2StreamChannel stream = opened.getNow();
    streams.add(stream);
    stream
        .closeFuture()
        .addListener(
            f -> {
              calls--;
              streams.remove(stream);
            });
    exchange.opened(stream, false);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    // SETTINGS and PING frames were already handled by the codec.
    leaving |= message instanceof Http2GoAwayFrame;
    ReferenceCountUtil.release(message);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    leaving = true;
    // A stream that is not being read would not see the end of the connection.
    for (Channel stream : List.copyOf(streams)) {
      if (failure != null) {
        stream.pipeline().fireExceptionCaught(failure);
      }
      stream.close();
    }
    context.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    LOG.debug("connection closed: {}", cause.toString());
    failure = cause instanceof IOException ? cause : new IOException(cause.toString(), cause);
    context.close();
  }
}
