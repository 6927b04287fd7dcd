package dev.ferry.zerocopy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ServerChannel;
import io.netty.handler.ssl.SslHandler;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Adds handlers to the connections of grpc-java, which has no option for it. Thread-safe. */
public final class NettyConnections {
  private NettyConnections() {}

  /**
   * Returns sockets that listen, for {@code NettyServerBuilder.channelFactory}, whose accepted
   * connections are set up before grpc-java adds its handlers.
   */
  public static ChannelFactory<ServerChannel> onAccept(
      ChannelFactory<ServerChannel> sockets, Consumer<Channel> setup) {
    return () -> {
      ServerChannel channel = sockets.newChannel();
      channel.pipeline().addFirst(new Acceptor(setup));
      return channel;
    };
  }

  /**
   * Adds a handler to a new connection where it sees plaintext bytes: behind the TLS handler of
   * grpc-java if there is one, else at the head of the pipeline.
   *
   * @param connection a connection without handlers of grpc-java
   * @param handlers called when the connection is active
   */
  public static void addBehindTls(Channel connection, Supplier<ChannelHandler> handlers) {
    connection.pipeline().addFirst(new BehindTls(handlers));
  }

  private static final class Acceptor extends ChannelInboundHandlerAdapter {
    private final Consumer<Channel> setup;

    Acceptor(Consumer<Channel> setup) {
      this.setup = setup;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object accepted) {
      setup.accept((Channel) accepted);
      context.fireChannelRead(accepted);
    }
  }

  private static final class BehindTls extends ChannelInboundHandlerAdapter {
    private final Supplier<ChannelHandler> handlers;

    BehindTls(Supplier<ChannelHandler> handlers) {
      this.handlers = handlers;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      // grpc-java adds the TLS handler not later than in this event, and nothing was read yet.
      context.fireChannelActive();
      ChannelPipeline pipeline = context.pipeline();
      ChannelHandlerContext tls = pipeline.context(SslHandler.class);
      if (tls == null) {
        pipeline.replace(this, null, handlers.get());
      } else {
        pipeline.addAfter(tls.name(), null, handlers.get());
        pipeline.remove(this);
      }
    }
  }
}
