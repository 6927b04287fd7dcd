package dev.ferry.suites.rival.reactor;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;

/**
 * Sends the window that a stream of HTTP/2 gives back when {@code read} is called. Netty before
 * 4.2.19 leaves the frame unsent if {@code read} was called before and nothing has come since: once
 * the window is used up, both ends wait for each other. Belongs to the head of the stream's
 * pipeline.
 */
@Sharable
final class FlushOnRead extends ChannelOutboundHandlerAdapter {
  static final FlushOnRead INSTANCE = new FlushOnRead();

  private FlushOnRead() {}

  @Override
  public void read(ChannelHandlerContext context) {
    context.read();
    context.channel().parent().flush();
  }
}
