package dev.ferry.grpc.internal.transport;

import dev.ferry.net.internal.BoundedCumulator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ServerChannel;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Settings;

/**
 * Sets on a connection what grpc-java has no option for: a cumulator that does not copy, and the
 * announcement of a large frame size. It uses Netty's public HTTP/2 API alone: the connection
 * handler is found in the pipeline when the peer's first bytes arrive, by when it is there, and
 * nothing was cumulated yet.
 */
@Sharable
final class Http2Tuner extends ChannelInboundHandlerAdapter {
  private static final Http2Tuner INSTANCE = new Http2Tuner();

  private Http2Tuner() {}

  static ChannelFactory<Channel> tuneClients(ChannelFactory<Channel> channels) {
    return () -> {
      Channel channel = channels.newChannel();
      channel.pipeline().addFirst(INSTANCE);
      return channel;
    };
  }

  static ChannelFactory<ServerChannel> tuneAccepted(ChannelFactory<ServerChannel> channels) {
    return Acceptor.addFirst(channels, () -> INSTANCE);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    Http2ConnectionHandler http2 = context.pipeline().get(Http2ConnectionHandler.class);
    if (http2 != null) {
      http2.setCumulator(BoundedCumulator.INSTANCE);
    }
    context.fireChannelRead(message);
    if (http2 != null) {
      // After the peer's preface was handled: a server may not speak before its own SETTINGS.
      ChannelHandlerContext handler = context.pipeline().context(http2);
      if (handler != null) {
        Http2Settings settings = new Http2Settings().maxFrameSize(Tuning.MAX_FRAME_SIZE);
        http2
            .encoder()
            .writeSettings(handler, settings, handler.newPromise())
            .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        handler.flush();
      }
      context.pipeline().remove(this);
    }
  }
}
