package dev.ferry.wire.internal;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2FrameTypes;

/**
 * Parses HTTP/2 frame headers as bytes pass, and skips payloads. It buffers only an incomplete
 * frame header. Not thread-safe.
 */
final class FrameScanner {
  /** Receives the parsed frames. */
  interface Sink {
    /**
     * A frame header is complete.
     *
     * @param length payload bytes
     * @param stream stream ID; 0 for the connection
     */
    void frame(int type, int flags, int length, int stream);

    /** Payload bytes of the current frame have arrived: {@code count} of them, at an index. */
    void payload(int type, int stream, ByteBuf bytes, int at, int count);

    /** A WINDOW_UPDATE frame is complete. */
    void windowUpdate(int stream, int bytes);

    /** Returns whether to stop after the frame header that was parsed last. */
    boolean stops();
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

  /**
   * Scans readable bytes without consuming them.
   *
   * @return the index of the first byte that was not scanned, because the sink stopped
   */
  int scan(ByteBuf bytes, int from) {
    int at = from;
    int end = bytes.writerIndex();
    while (at < end && !sink.stops()) {
      if (left > 0) {
        int some = Math.min(left, end - at);
        skip(bytes, at, some);
        at += some;
      } else {
        head(bytes.getUnsignedByte(at++));
      }
    }
    return at;
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
    sink.payload(type, stream, bytes, at, some);
  }
}
