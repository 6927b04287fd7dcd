package dev.ferry.zerocopy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Has the {@link Http2Tuner} added to each accepted connection. */
@Sharable
final class Acceptor extends ChannelInboundHandlerAdapter {
  static final Acceptor INSTANCE = new Acceptor();

  private Acceptor() {}

  @Override
  public void channelRead(ChannelHandlerContext context, Object accepted) {
    BehindTls.add((Channel) accepted, () -> Http2Tuner.INSTANCE);
    context.fireChannelRead(accepted);
  }
}
