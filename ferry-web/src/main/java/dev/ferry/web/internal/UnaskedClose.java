package dev.ferry.web.internal;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes a connection on unexpected data or on a failure that belongs to no call. */
@Sharable
final class UnaskedClose extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(UnaskedClose.class);

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ReferenceCountUtil.release(message);
    context.close();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    LOG.debug("connection closed: {}", cause.toString());
    context.close();
  }
}
