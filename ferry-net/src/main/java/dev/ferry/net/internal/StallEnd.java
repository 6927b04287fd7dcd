package dev.ferry.net.internal;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Stream;

/** Tells a client why its stream is about to be reset. */
@FunctionalInterface
public interface StallEnd {
  /** Tells nothing: the reset says it. */
  StallEnd RESET = (context, http2, stream, why) -> {};

  /**
   * Writes what the client is told, past the frames that wait for its windows. The stream is reset
   * behind it.
   *
   * @param context of the handler of HTTP/2
   * @param why one line
   */
  void tell(
      ChannelHandlerContext context, Http2ConnectionHandler http2, Http2Stream stream, String why);
}
