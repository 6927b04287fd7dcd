package dev.ferry.grpc.internal.transport;

import dev.ferry.wire.internal.ConnectionGuard;
import dev.ferry.wire.internal.Listening;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ServerChannel;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Adds a handler to each accepted connection, where it sees plaintext bytes. */
final class Acceptor extends ChannelInboundHandlerAdapter {
  private final Consumer<Channel> setup;

  private Acceptor(Consumer<Channel> setup) {
    this.setup = setup;
  }

  private static ChannelFactory<ServerChannel> add(
      ChannelFactory<ServerChannel> channels, Consumer<Channel> setup) {
    return () -> {
      ServerChannel channel = channels.newChannel();
      channel.pipeline().addFirst(new Acceptor(setup)).addFirst(new Listening());
      return channel;
    };
  }

  static ChannelFactory<ServerChannel> addBehindTls(
      ChannelFactory<ServerChannel> channels, Supplier<ChannelHandler> handlers) {
    return add(channels, accepted -> BehindTls.add(accepted, handlers));
  }

  static ChannelFactory<ServerChannel> guard(
      ChannelFactory<ServerChannel> channels, @Nullable ConnectionGuard guard, boolean tls) {
    if (guard == null) {
      return channels;
    }
    return tls
        ? addBehindTls(channels, guard::newHandler)
        // A refused client must not get any bytes. grpc-java sends some when it is added.
        : add(channels, accepted -> accepted.pipeline().addFirst(guard.newHandler()));
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object accepted) {
    setup.accept((Channel) accepted);
    context.fireChannelRead(accepted);
  }
}
