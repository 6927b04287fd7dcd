package dev.ferry.net.internal;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2FrameTypes;

/**
 * Reads the heads of HTTP/2 frames as they pass, and skips what they hold. It keeps nothing but a
 * head that has come in part. For one thread.
 */
final class FrameScanner {
  /** Who hears of the frames. */
  interface Sink {
    /**
     * A frame begins.
     *
     * @param length bytes that follow its head
     * @param stream 0 for the connection
     */
    void frame(int type, int flags, int length, int stream);

    /** Some bytes of the frame that was begun last have come. */
    void payload(int type, int stream, int bytes);

    /** A window has been opened by a whole frame. */
    void windowUpdate(int stream, int bytes);
  }

  private static final int HEAD = 9;
  private static final int LENGTH_BYTES = 3;
  private static final int STREAM_AT = 5;

  private final Sink sink;
  private long headBytes;
  private int headStream;
  private int inHead;
  private int type;
  private int stream;
  private int left;
  private int increment;

  FrameScanner(Sink sink) {
    this.sink = sink;
  }

  /** Looks at bytes, and leaves them as they are. */
  void scan(ByteBuf bytes, int from) {
    int at = from;
    int end = bytes.writerIndex();
    while (at < end) {
      if (left > 0) {
        int some = Math.min(left, end - at);
        skip(bytes, at, some);
        at += some;
      } else {
        head(bytes.getUnsignedByte(at++));
      }
    }
  }

  private void head(int value) {
    if (inHead < STREAM_AT) {
      headBytes = headBytes << Byte.SIZE | value;
    } else {
      headStream = headStream << Byte.SIZE | value;
    }
    if (++inHead < HEAD) {
      return;
    }
    int flags = (int) headBytes & 0xff;
    type = (int) (headBytes >> Byte.SIZE) & 0xff;
    left = (int) (headBytes >> (STREAM_AT - LENGTH_BYTES) * Byte.SIZE);
    stream = headStream & Integer.MAX_VALUE;
    inHead = 0;
    headBytes = 0;
    headStream = 0;
    increment = 0;
    sink.frame(type, flags, left, stream);
  }

  private void skip(ByteBuf bytes, int at, int some) {
    left -= some;
    if (type == Http2FrameTypes.WINDOW_UPDATE) {
      for (int i = at; i < at + some; i++) {
        increment = increment << Byte.SIZE | bytes.getUnsignedByte(i);
      }
      if (left == 0) {
        sink.windowUpdate(stream, increment & Integer.MAX_VALUE);
      }
    }
    sink.payload(type, stream, some);
  }
}
