package dev.ferry.net.internal;

import dev.ferry.net.ServerSettings;
import io.netty.channel.ChannelHandler;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Guards the connections of one port. It counts them together with those of other ports, closes
 * connections without a handshake in time, closes HTTP/2 connections that send too many control
 * frames, and resets streams whose client has stalled.
 *
 * <p>It inspects the bytes before the server does, so it works with any Netty-based server.
 * Thread-safe.
 */
public final class ConnectionGuard {
  private final ServerSettings settings;
  private final Refusals refusals;
  private final @Nullable StallEnd stallEnd;
  private final LongSupplier nanoTime;

  /**
   * Creates the guard of a port.
   *
   * @param refusals counts rejected connections and streams
   * @param stallEnd reports the stall to the client of a stalled HTTP/2 stream; null if the server
   *     itself detects stalls
   */
  public ConnectionGuard(ServerSettings settings, Refusals refusals, @Nullable StallEnd stallEnd) {
    this(settings, refusals, stallEnd, System::nanoTime);
  }

  ConnectionGuard(
      ServerSettings settings,
      Refusals refusals,
      @Nullable StallEnd stallEnd,
      LongSupplier nanoTime) {
    this.settings = settings;
    this.refusals = refusals;
    this.stallEnd = stallEnd;
    this.nanoTime = nanoTime;
  }

  /**
   * Creates the handler of one connection. It must be the first handler that sees plaintext bytes,
   * and must be added before the first read.
   */
  public ChannelHandler newHandler() {
    return new GuardedConnection(settings, refusals, stallEnd, nanoTime);
  }
}
