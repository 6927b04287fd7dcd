package dev.ferry.grpc.internal.interop;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import java.util.ArrayList;
import java.util.List;

/** Where a peer cuts the bytes of its messages into DATA frames. */
enum Layout {
  /** Within prefixes and headers, with nothing in some frames and padding in small ones. */
  ODD,
  /** As much as fits into each, whatever messages that is. */
  FULL,
  /** As much as the other end takes, if that is more; Netty's codec cuts the rest. */
  LARGE;

  private static final int PADDED_BYTES = 1000;
  private static final int PADDING = 255;

  private List<Integer> lengths() {
    return switch (this) {
      case ODD -> List.of(1, 4, 0, 5, 6, 16384, 3, 255, 0, 16000, 2, 16384, 9000);
      case FULL -> List.of(16384);
      case LARGE -> List.of(500_000);
    };
  }

  /**
   * Cuts bytes into frames.
   *
   * @param end whether the last one ends the stream
   */
  List<Http2DataFrame> frames(byte[] bytes, boolean end) {
    List<Integer> lengths = lengths();
    List<Http2DataFrame> frames = new ArrayList<>();
    int at = 0;
    for (int i = 0; at < bytes.length; i++) {
      int length = Math.min(lengths.get(i % lengths.size()), bytes.length - at);
      int padding = this == ODD && length < PADDED_BYTES ? PADDING : 0;
      boolean last = end && at + length == bytes.length;
      frames.add(
          new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(bytes, at, length), last, padding));
      at += length;
    }
    return frames;
  }
}
