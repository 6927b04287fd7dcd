package dev.ferry.zerocopy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import java.util.function.Supplier;

/**
 * Adds a handler to a connection of grpc-java where it sees plaintext bytes: behind the TLS handler
 * if there is one, else at the head of the pipeline.
 */
final class BehindTls extends ChannelInboundHandlerAdapter {
  private final Supplier<ChannelHandler> handlers;

  private BehindTls(Supplier<ChannelHandler> handlers) {
    this.handlers = handlers;
  }

  /** Adds a handler to a new channel, before any handler of grpc-java. */
  static void add(Channel channel, Supplier<ChannelHandler> handlers) {
    channel.pipeline().addFirst(new BehindTls(handlers));
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
