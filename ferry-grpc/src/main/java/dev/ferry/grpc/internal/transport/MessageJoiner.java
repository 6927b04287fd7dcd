package dev.ferry.grpc.internal.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import org.jspecify.annotations.Nullable;

/**
 * Joins messages as {@link JoinedMessages} describes, before grpc-java sees their frames: it
 * overwrites the length in the first prefix with the total length. Only for the thread of the
 * connection's event loop.
 */
final class MessageJoiner extends Http2FrameListenerDecorator {
  /** The connection and stream whose headers the current thread handles. */
  private static final ThreadLocal<Handled> HANDLED = ThreadLocal.withInitial(Handled::new);

  private final Http2Connection connection;
  private final Http2Connection.PropertyKey joinedStream;

  private static final class Handled {
    private @Nullable MessageJoiner joiner;
    private int stream;
  }

  private MessageJoiner(Http2Connection connection, Http2FrameListener listener) {
    super(listener);
    this.connection = connection;
    this.joinedStream = connection.newKey();
  }

  /** Wraps a channel factory so that its connections can join messages. */
  static ChannelFactory<Channel> enable(ChannelFactory<Channel> channels) {
    return () -> {
      Channel channel = channels.newChannel();
      channel.pipeline().addFirst(Installer.INSTANCE);
      return channel;
    };
  }

  /**
   * Starts to join the messages of the stream whose headers the calling thread handles. Has no
   * effect if the thread handles no headers or the connection cannot join messages.
   */
  static void joinStreamOfHeaders() {
    Handled handled = HANDLED.get();
    if (handled.joiner != null) {
      handled.joiner.join(handled.stream);
    }
  }

  private void join(int streamId) {
    Http2Stream stream = connection.stream(streamId);
    if (stream != null) {
      stream.setProperty(joinedStream, new Frames());
    }
  }

  @Override
  public void onHeadersRead(
      ChannelHandlerContext context, int stream, Http2Headers headers, int padding, boolean end)
      throws Http2Exception {
    Handled handled = begin(stream);
    try {
      super.onHeadersRead(context, stream, headers, padding, end);
    } finally {
      handled.joiner = null;
    }
  }

  @Override
  public void onHeadersRead(
      ChannelHandlerContext context,
      int stream,
      Http2Headers headers,
      int dependency,
      short weight,
      boolean exclusive,
      int padding,
      boolean end)
      throws Http2Exception {
    Handled handled = begin(stream);
    try {
      super.onHeadersRead(context, stream, headers, dependency, weight, exclusive, padding, end);
    } finally {
      handled.joiner = null;
    }
  }

  private Handled begin(int stream) {
    Handled handled = HANDLED.get();
    handled.joiner = this;
    handled.stream = stream;
    return handled;
  }

  @Override
  public int onDataRead(
      ChannelHandlerContext context, int streamId, ByteBuf data, int padding, boolean end)
      throws Http2Exception {
    Http2Stream stream = connection.stream(streamId);
    Frames frames = stream == null ? null : stream.getProperty(joinedStream);
    if (frames != null) {
      frames.join(data);
    }
    return super.onDataRead(context, streamId, data, padding, end);
  }

  /** Tracks the message boundaries in successive frames of a stream. */
  static final class Frames {
    private static final int NONE = -1;

    /** Outstanding bytes of the current message, without its prefix. */
    private long rest;

    /**
     * The number of bytes received of a prefix that is split across frames. {@code length} holds
     * the length bytes received so far.
     */
    private int prefixBytes;

    private long length;

    /** Joins consecutive messages that are complete within a frame. */
    void join(ByteBuf frame) {
      int end = frame.writerIndex();
      int at = afterCut(frame);
      int first = NONE;
      int joined = NONE;
      while (end - at >= JoinedMessages.PREFIX) {
        long next = at + JoinedMessages.PREFIX + frame.getUnsignedInt(at + 1);
        boolean plain = frame.getByte(at) == 0;
        if (next > end) {
          rest = next - end;
          at = end;
        } else {
          if (!plain || first == NONE) {
            close(frame, first, joined);
            first = plain ? at : NONE;
          }
          at = (int) next;
          joined = at;
        }
      }
      close(frame, first, joined);
      cut(frame, at, end);
    }

    /**
     * Skips the rest of the message that the last frame split. Returns the start of the next
     * message.
     */
    private int afterCut(ByteBuf frame) {
      int at = frame.readerIndex();
      int end = frame.writerIndex();
      if (prefixBytes > 0) {
        at = cut(frame, at, end);
        if (prefixBytes < JoinedMessages.PREFIX) {
          return at;
        }
        rest = length;
        prefixBytes = 0;
        length = 0;
      }
      long skipped = Math.min(rest, end - at);
      rest -= skipped;
      return at + (int) skipped;
    }

    /** Reads the available bytes of a prefix. */
    private int cut(ByteBuf frame, int from, int end) {
      int at = from;
      while (at < end && prefixBytes < JoinedMessages.PREFIX) {
        length = prefixBytes == 0 ? 0 : length << Byte.SIZE | frame.getUnsignedByte(at);
        prefixBytes++;
        at++;
      }
      return at;
    }

    private static void close(ByteBuf frame, int first, int end) {
      int length = end - first - JoinedMessages.PREFIX;
      if (first != NONE && length != frame.getInt(first + 1) && !frame.isReadOnly()) {
        frame.setInt(first + 1, length);
      }
    }
  }

  /** Looks up the HTTP/2 connection handler in the pipeline when the first bytes are read. */
  @Sharable
  private static final class Installer extends ChannelInboundHandlerAdapter {
    private static final Installer INSTANCE = new Installer();

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      Http2ConnectionHandler http2 = context.pipeline().get(Http2ConnectionHandler.class);
      if (http2 != null) {
        Http2FrameListener listener = http2.decoder().frameListener();
        http2.decoder().frameListener(new MessageJoiner(http2.connection(), listener));
        context.pipeline().remove(this);
      }
      context.fireChannelRead(message);
    }
  }
}
