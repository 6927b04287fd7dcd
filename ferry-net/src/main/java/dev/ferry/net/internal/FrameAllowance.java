package dev.ferry.net.internal;

import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2FrameTypes;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * How many frames of HTTP/2 that move nothing a client may send: PING, SETTINGS, WINDOW_UPDATE,
 * PRIORITY, RST_STREAM, CONTINUATION, GOAWAY, unknown ones, and DATA without a byte. Each costs a
 * microsecond or so, and some an answer; a client that sends nothing else takes a core.
 *
 * <p>Some are free, and a client that does work earns more, because clients measure a connection by
 * a PING for each read, return windows in small steps, and begin each stream with a priority. For
 * one thread.
 */
final class FrameAllowance {
  /** Frames that are free in each {@link #PERIOD}: a client that is idle sends some ten. */
  static final int FREE = 1000;

  private static final long PERIOD = TimeUnit.SECONDS.toNanos(10);

  /** Earned by a HEADERS frame: a request may be prioritized, given windows, and reset. */
  private static final int REQUEST = 10;

  /** Earned by a DATA frame with a byte in it: it may be followed by a PING and its answer. */
  private static final int DATA = 2;

  /**
   * Bytes sent to the client that earn a frame. A gRPC message of a few bytes may be answered by a
   * PING; windows are returned for a kilobyte or more.
   */
  private static final int BYTES_SENT = 32;

  /** Most that can be earned ahead. */
  private static final int MOST = 10_000;

  /** Padding of a DATA frame takes that much at most, with its length. */
  private static final int MAX_PADDING = 256;

  private static final int PADDED = 0x8;

  private final LongSupplier nanoTime;
  private final IntSupplier window;
  private int left = FREE;
  private long since;
  private long granted = Http2CodecUtil.DEFAULT_WINDOW_SIZE;
  private long paid;

  /**
   * Creates the allowance of a connection.
   *
   * @param nanoTime the clock
   * @param window bytes the connection may still be sent by its window
   */
  FrameAllowance(LongSupplier nanoTime, IntSupplier window) {
    this.nanoTime = nanoTime;
    this.window = window;
    this.since = nanoTime.getAsLong();
  }

  /**
   * Takes a frame.
   *
   * @return whether the client may go on
   */
  boolean take(int type, int flags, int length) {
    if (type == Http2FrameTypes.HEADERS) {
      earn(REQUEST);
      return true;
    }
    // A frame without padding has as many bytes as its length says.
    boolean empty = length <= ((flags & PADDED) == 0 ? 0 : MAX_PADDING);
    if (type == Http2FrameTypes.DATA && !empty) {
      earn(DATA);
      return true;
    }
    if (left == 0) {
      refill();
    }
    boolean goOn = left > 0;
    left -= goOn ? 1 : 0;
    return goOn;
  }

  /** The client has opened the window of the connection. */
  void windowOpened(int bytes) {
    granted += bytes;
  }

  private void earn(long frames) {
    left = (int) Math.min(MOST, left + frames);
  }

  private void refill() {
    long now = nanoTime.getAsLong();
    if (now - since >= PERIOD) {
      since = now;
      left = FREE;
      return;
    }
    long sent = granted - window.getAsInt();
    long frames = (sent - paid) / BYTES_SENT;
    if (frames > 0) {
      paid = sent;
      earn(frames);
    }
  }
}
