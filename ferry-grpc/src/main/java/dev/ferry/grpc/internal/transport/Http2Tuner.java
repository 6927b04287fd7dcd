package dev.ferry.grpc.internal.transport;

import dev.ferry.wire.internal.BoundedCumulator;
import dev.ferry.wire.internal.ReceiveWindows;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ServerChannel;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.ssl.SslHandler;

/**
 * Configures connection settings for which grpc-java has no option: a cumulator that does not copy,
 * a large maximum frame size, windows that are returned early, and whole buffers for TLS. It uses
 * only the public API of Netty. It looks up the connection handler in the pipeline when the first
 * bytes of the peer arrive: the handler is then installed and has not cumulated any bytes.
 */
@Sharable
final class Http2Tuner extends ChannelInboundHandlerAdapter {
  private static final Http2Tuner INSTANCE = new Http2Tuner();

  private Http2Tuner() {}

  static ChannelFactory<Channel> tuneClients(ChannelFactory<Channel> channels) {
    return () -> {
      Channel channel = channels.newChannel();
      BehindTls.add(channel, () -> INSTANCE);
      return channel;
    };
  }

  static ChannelFactory<ServerChannel> tuneAccepted(ChannelFactory<ServerChannel> channels) {
    return Acceptor.addBehindTls(channels, () -> INSTANCE);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Http2Exception {
    Http2ConnectionHandler http2 = context.pipeline().get(Http2ConnectionHandler.class);
    if (http2 != null) {
      http2.setCumulator(BoundedCumulator.INSTANCE);
      ReceiveWindows.returnEarly(http2.connection());
    }
    SslHandler tls = context.pipeline().get(SslHandler.class);
    if (tls != null) {
      tls.setWrapDataSize(Tuning.WHOLE_BUFFERS);
    }
    context.fireChannelRead(message);
    if (http2 != null) {
      // Runs after the peer's preface was handled, because a server must send its SETTINGS first.
      ChannelHandlerContext handler = context.pipeline().context(http2);
      if (handler != null) {
        ReceiveWindows.returnConnectionEarly(http2.connection());
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
