package dev.ferry.wire.internal;

import dev.ferry.core.FerryException;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Stream;

/** Tells a client why the server resets one of its streams. */
@FunctionalInterface
public interface StreamEnd {
  /** Tells nothing; the stream is only reset. */
  StreamEnd RESET = (context, http2, stream, why) -> Http2Error.CANCEL;

  /**
   * Writes the reason, bypassing the frames that wait for flow-control windows. The caller resets
   * the stream afterwards.
   *
   * @param context the context of the HTTP/2 handler
   * @return the code to reset the stream with
   */
  Http2Error tell(
      ChannelHandlerContext context,
      Http2ConnectionHandler http2,
      Http2Stream stream,
      FerryException why);
}
