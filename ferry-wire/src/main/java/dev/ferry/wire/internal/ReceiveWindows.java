package dev.ferry.wire.internal;

import dev.ferry.core.RateLimit;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP/2 flow-control windows of connections that transfer files. A sender may have a window of
 * data on its way, and then waits for a WINDOW_UPDATE. So a window must be as large as what the
 * network holds, which is its rate multiplied by its round-trip time.
 *
 * <p>Netty returns a window when half of it has been consumed. Then only the other half is sure to
 * be on its way. Here it is returned in quarters ({@code Http2Reads} of ferry-zerocopy), so that
 * three quarters are: 12.6 MB, or 1 Gbit/s at a round-trip time of 100 ms.
 *
 * <p>A receiver that reads what arrives holds a few frames in memory at a time, whatever the window
 * is. If it does not read, up to a window of each stream waits in direct memory.
 *
 * <p>The kernel has a limit of its own: a sender has at most what {@code net.ipv4.tcp_wmem} ends
 * with under way, 4 MiB on most systems, which is 335 Mbit/s over 100 ms.
 */
public final class ReceiveWindows {
  /** Window of a stream in bytes. */
  public static final int STREAM = 16 * 1024 * 1024;

  /**
   * Window of a stream, and of a connection, of a server with a remote store. Uploads wait for the
   * store more often than for the network, and what waits is in direct memory.
   */
  public static final int REMOTE_STORE = 4 * 1024 * 1024;

  private static final int SMALLEST_STREAM = 64 * 1024;

  private ReceiveWindows() {}

  /**
   * Returns the window of a stream, in bytes, of a client with a rate limit. It holds what passes
   * in a second, from 64 KiB to {@link #STREAM}: the server sends a window of data at once, however
   * slowly the client takes it.
   *
   * @param limit null for no limit
   */
  public static int stream(@Nullable RateLimit limit) {
    return limit == null
        ? STREAM
        : (int) Math.min(STREAM, Math.max(SMALLEST_STREAM, limit.bytesPerSecond()));
  }
}
