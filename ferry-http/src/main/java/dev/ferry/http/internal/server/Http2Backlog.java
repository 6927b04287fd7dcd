package dev.ferry.http.internal.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2StreamFrame;
import io.netty.util.ReferenceCountUtil;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts the DATA frames of one HTTP/2 connection that wait until their streams are read. Flow
 * control limits only their bytes, and a frame of one byte takes about a hundred bytes of heap.
 * Small frames that wait are copied, since each may retain the buffer of a whole read. Only the
 * event loop accesses the state.
 */
final class Http2Backlog extends ChannelInboundHandlerAdapter {
  /** What a well-behaved client may have in flight: a window of 32 MiB in frames of 512 bytes. */
  private static final int MAX_FRAMES = 64 * 1024;

  /** Frames of at least this size in bytes are not copied: a read buffer has 16 KiB at least. */
  private static final int LARGE = 8 * 1024;

  private final Map<Http2FrameStream, Integer> waiting = new HashMap<>();
  private int frames;
  private boolean refused;

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof Http2DataFrame frame) {
      int ofStream = waiting.merge(frame.stream(), 1, Integer::sum);
      frames++;
      if (refused) {
        ReferenceCountUtil.release(message);
        return;
      }
      if (frames > MAX_FRAMES) {
        refused = true;
        ReferenceCountUtil.release(message);
        context.writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.ENHANCE_YOUR_CALM));
        context.close();
        return;
      }
      if (ofStream > 1 && frame.content().readableBytes() < LARGE) {
        context.fireChannelRead(copy(frame));
        return;
      }
    }
    context.fireChannelRead(message);
  }

  private static Http2StreamFrame copy(Http2DataFrame frame) {
    try {
      return frame.copy().stream(frame.stream());
    } finally {
      frame.release();
    }
  }

  /** Records that a frame of a stream was read. */
  void read(Http2FrameStream stream) {
    if (waiting.computeIfPresent(stream, (s, n) -> n - 1) != null) {
      frames--;
    }
  }

  /** Removes the waiting frames of a closed stream from the count. */
  void closed(Http2FrameStream stream) {
    Integer left = waiting.remove(stream);
    frames -= left == null ? 0 : left;
  }
}
