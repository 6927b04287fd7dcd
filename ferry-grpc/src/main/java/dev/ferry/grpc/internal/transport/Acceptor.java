package dev.ferry.grpc.internal.transport;

import dev.ferry.net.internal.ConnectionGuard;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ServerChannel;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Adds a handler at the head of the pipeline of each accepted connection. */
final class Acceptor extends ChannelInboundHandlerAdapter {
  private final Supplier<ChannelHandler> handlers;

  private Acceptor(Supplier<ChannelHandler> handlers) {
    this.handlers = handlers;
  }

  static ChannelFactory<ServerChannel> addFirst(
      ChannelFactory<ServerChannel> channels, Supplier<ChannelHandler> handlers) {
    return () -> {
      ServerChannel channel = channels.newChannel();
      channel.pipeline().addFirst(new Acceptor(handlers));
      return channel;
    };
  }

  static ChannelFactory<ServerChannel> guard(
      ChannelFactory<ServerChannel> channels, @Nullable ConnectionGuard guard) {
    return guard == null ? channels : addFirst(channels, guard::newHandler);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object accepted) {
    ((Channel) accepted).pipeline().addFirst(handlers.get());
    context.fireChannelRead(accepted);
  }
}
