package dev.ferry.http.internal.server;

import dev.ferry.core.RateLimit;
import dev.ferry.core.internal.CallerShares;
import dev.ferry.zerocopy.ZeroCopy;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2LocalFlowController;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.Http2StreamChannel;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The direct memory of the bodies that a port receives, divided as {@link CallerShares}: HTTP/2
 * windows, and bodies that are kept as a whole. Thread-safe.
 *
 * <p>A client may send a window of data at once, which waits in direct memory until it is read. So
 * a stream begins with a small window, and gets a large one when its body is wanted: as large as
 * what passes in a second if its caller has a limit, and as the share of its holder permits. One
 * that gets none goes on with the small window, which is slower.
 */
final class BodyMemory {
  /** Bytes that a client may send before its request is looked at. */
  static final int SMALL = Http2CodecUtil.DEFAULT_WINDOW_SIZE;

  private final CallerShares windows;

  /** That of whole bodies, for which windows leave room: these are refused if there is none. */
  private final CallerShares whole;

  /**
   * @param bytes of direct memory that all bodies have together
   */
  BodyMemory(long bytes) {
    long some = bytes / 4;
    this.whole = new CallerShares(some);
    this.windows = new CallerShares(bytes - some);
  }

  /** What a request has of the memory. */
  static final class Share implements AutoCloseable {
    private final CallerShares memory;
    private final String holder;
    private final int bytes;
    private boolean closed;

    private Share(CallerShares memory, String holder, int bytes) {
      this.memory = memory;
      this.holder = holder;
      this.bytes = bytes;
    }

    /** Gives the memory back. Only the event loop of the request calls this. */
    @Override
    public void close() {
      if (!closed) {
        closed = true;
        memory.giveBack(holder, bytes);
      }
    }
  }

  /** Lets a connection receive as much as two large windows. Its SETTINGS must have been sent. */
  static void openConnection(ChannelHandlerContext context) {
    Http2FrameCodec codec = context.pipeline().get(Http2FrameCodec.class);
    widen(codec, codec.connection().connectionStream(), 2 * ZeroCopy.WINDOW - SMALL);
    context.flush();
  }

  /**
   * Lets a stream receive a body. It is asked once for each, when the body is wanted.
   *
   * @param channel of the request
   * @param length of the body; negative if it is not known
   * @param holder whose share of the memory it takes
   * @param limit that of its caller; null for none
   * @return null if there is nothing to close: the channel is no stream, or has a small window
   */
  @Nullable Share open(
      Channel channel, long length, Supplier<String> holder, @Nullable RateLimit limit) {
    boolean small = length >= 0 && length <= SMALL;
    if (small || !(channel instanceof Http2StreamChannel stream)) {
      return null;
    }
    Http2FrameCodec codec = channel.parent().pipeline().get(Http2FrameCodec.class);
    Http2Stream http2 = codec == null ? null : codec.connection().stream(stream.stream().id());
    int more = RateLimit.window(limit, ZeroCopy.WINDOW) - SMALL;
    String taker = holder.get();
    if (http2 == null || more <= 0 || !windows.take(taker, more)) {
      return null;
    }
    widen(codec, http2, more);
    channel.parent().flush();
    return new Share(windows, taker, more);
  }

  /**
   * Takes memory for a body that is kept as a whole.
   *
   * @param holder whose share of the memory it takes
   * @return null if that is more than the share permits
   */
  @Nullable Share reserve(String holder, int bytes) {
    return whole.take(holder, bytes) ? new Share(whole, holder, bytes) : null;
  }

  private static void widen(Http2FrameCodec codec, Http2Stream stream, int bytes) {
    Http2LocalFlowController windows = codec.connection().local().flowController();
    try {
      windows.incrementWindowSize(stream, bytes);
    } catch (Http2Exception e) {
      // Only for a window of over 2 GiB.
      throw new IllegalStateException(e);
    }
  }
}
