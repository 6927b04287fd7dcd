package dev.ferry.wire.internal;

import dev.ferry.wire.internal.contract.Limits;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2FrameTypes;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Limits the HTTP/2 frames without payload that a client may send: PING, SETTINGS, WINDOW_UPDATE,
 * PRIORITY, RST_STREAM, CONTINUATION, GOAWAY, unknown types, and empty DATA. Each costs about a
 * microsecond, and some need a response; a client that sends nothing else would occupy a core.
 *
 * <p>Some frames are free, and requests and data earn more. Legitimate clients send a PING for each
 * read to measure the connection, return windows in small steps, and prioritize each stream. Resets
 * of running calls have a {@linkplain Limits#MAX_RESETS limit} as well: such a call costs the
 * server more than the client, and no longer counts among those that run. Not thread-safe.
 */
final class FrameAllowance {
  /** Free frames per {@link #PERIOD}. An idle client sends about ten. */
  static final int FREE = 1000;

  private static final long PERIOD = TimeUnit.SECONDS.toNanos(10);

  /** Frames earned by a HEADERS frame: a request may be prioritized, given windows, and reset. */
  private static final int REQUEST = 10;

  /** Frames earned by a non-empty DATA frame: a PING and an acknowledgement may follow it. */
  private static final int DATA = 2;

  /**
   * Bytes sent to the client that earn one frame. A client may send a PING after a gRPC message of
   * a few bytes. Clients return windows for a kilobyte or more.
   */
  private static final int BYTES_SENT = 32;

  /** Maximum allowance that can accumulate. */
  private static final int MOST = 10_000;

  /** Maximum padding of a DATA frame, including the length byte. */
  private static final int MAX_PADDING = 256;

  private static final int PADDED = 0x8;

  private final LongSupplier nanoTime;
  private final IntSupplier window;
  private int left = FREE;
  private long since;
  private int resets;
  private long resetsSince;
  private long granted = Http2CodecUtil.DEFAULT_WINDOW_SIZE;
  private long paid;

  /**
   * Creates the allowance of a connection.
   *
   * @param nanoTime the clock
   * @param window the connection's current send window in bytes
   */
  FrameAllowance(LongSupplier nanoTime, IntSupplier window) {
    this.nanoTime = nanoTime;
    this.window = window;
    this.since = nanoTime.getAsLong();
    this.resetsSince = since;
  }

  /**
   * Counts a frame.
   *
   * @return whether the frame is within the allowance
   */
  boolean take(int type, int flags, int length) {
    if (type == Http2FrameTypes.HEADERS) {
      earn(REQUEST);
      return true;
    }
    // The payload of an unpadded frame has exactly this length.
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

  /**
   * Counts a reset of a running call, in addition to its frame. Resets of calls that have ended do
   * not count: OkHttp answers each DATA frame that arrives after a cancellation with one.
   *
   * @return whether the reset is within the limit
   */
  boolean takeReset() {
    long now = nanoTime.getAsLong();
    if (now - resetsSince >= Limits.RESETS_PERIOD.toNanos()) {
      resetsSince = now;
      resets = 0;
    }
    return ++resets <= Limits.MAX_RESETS;
  }

  /** Records a WINDOW_UPDATE of the connection. */
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
