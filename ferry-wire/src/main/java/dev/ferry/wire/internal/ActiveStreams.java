package dev.ferry.wire.internal;

import dev.ferry.core.FerryException;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lists and ends the active streams of an HTTP/2 connection. Call it on the event loop. */
final class ActiveStreams {
  private static final Logger LOG = LoggerFactory.getLogger(ActiveStreams.class);

  private ActiveStreams() {}

  static List<Http2Stream> of(Http2ConnectionHandler http2) {
    List<Http2Stream> streams = new ArrayList<>();
    try {
      http2
          .connection()
          .forEachActiveStream(
              stream -> {
                streams.add(stream);
                return true;
              });
    } catch (Http2Exception e) {
      throw new IllegalStateException("a visitor that throws nothing threw", e);
    }
    return streams;
  }

  /**
   * Tells the client why, and resets the stream.
   *
   * @param context a context of the connection
   */
  static void end(
      ChannelHandlerContext context,
      Http2ConnectionHandler http2,
      Http2Stream stream,
      StreamEnd end,
      FerryException why) {
    LOG.debug("stream of {} reset: {}", context.channel().remoteAddress(), why.getMessage());
    ChannelHandlerContext handler = context.pipeline().context(http2);
    Http2Error code = end.tell(handler, http2, stream, why);
    try {
      // Let the server release the stream, as after a RST_STREAM from the client.
      http2
          .decoder()
          .frameListener()
          .onRstStreamRead(handler, stream.id(), Http2Error.CANCEL.code());
    } catch (Http2Exception e) {
      LOG.debug("a stream that was reset is gone already", e);
    }
    http2.resetStream(handler, stream.id(), code.code(), handler.newPromise());
    http2.flush(handler);
  }
}
