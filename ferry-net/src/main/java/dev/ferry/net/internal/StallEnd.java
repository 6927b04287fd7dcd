package dev.ferry.net.internal;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Stream;

/** Reports a stall to the client before its stream is reset. */
@FunctionalInterface
public interface StallEnd {
  /** Reports nothing; the stream is only reset. */
  StallEnd RESET = (context, http2, stream, why) -> {};

  /**
   * Writes the report, bypassing the frames that wait for flow-control windows. The caller resets
   * the stream afterwards.
   *
   * @param context the context of the HTTP/2 handler
   * @param why one line
   */
  void tell(
      ChannelHandlerContext context, Http2ConnectionHandler http2, Http2Stream stream, String why);
}
