package dev.ferry.web;

import dev.ferry.grpc.transport.BoundedCumulator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import org.jspecify.annotations.Nullable;

/**
 * Has HTTP/2 collect the reads of a frame without copying them, as on the gRPC port: Netty's own
 * way copies nearly every byte, since what is left of a read is still in use when the next comes.
 * The handler is there once the first bytes have told which protocol it is.
 */
@Sharable
final class ReadViews extends ChannelInboundHandlerAdapter {
  private static final ReadViews INSTANCE = new ReadViews();

  private ReadViews() {}

  /** For a connection whose protocol may not be known yet. */
  static void addTo(ChannelPipeline pipeline) {
    pipeline.addFirst(INSTANCE);
  }

  /** For a connection whose protocol is known; from any thread. */
  static void in(@Nullable Channel connection) {
    Http2ConnectionHandler http2 =
        connection == null ? null : connection.pipeline().get(Http2ConnectionHandler.class);
    if (connection != null && http2 != null) {
      connection.eventLoop().execute(() -> http2.setCumulator(BoundedCumulator.INSTANCE));
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    Http2ConnectionHandler http2 = context.pipeline().get(Http2ConnectionHandler.class);
    if (http2 != null) {
      http2.setCumulator(BoundedCumulator.INSTANCE);
    }
    context.fireChannelRead(message);
    if (http2 != null) {
      context.pipeline().remove(this);
    }
  }
}
