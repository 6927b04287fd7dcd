package dev.ferry.net.internal;

import dev.ferry.net.ServerSettings;
import io.netty.channel.ChannelHandler;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Guards the connections of one port, whichever server stands behind it: counts them together with
 * those of the other ports, closes those that do not say in time what they want, ends those whose
 * frames of HTTP/2 move nothing, and calls whose client has fallen silent.
 *
 * <p>All of it is read off the bytes that pass, before the server sees them, so it holds for every
 * server of Netty's alike. Thread-safe.
 */
public final class ConnectionGuard {
  private final ServerSettings settings;
  private final Refusals refusals;
  private final @Nullable StallEnd stallEnd;
  private final LongSupplier nanoTime;

  /**
   * Creates the guard of a port.
   *
   * @param refusals counts what is refused
   * @param stallEnd ends calls of HTTP/2 whose client has fallen silent; null where the server sees
   *     to that by itself
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
   * What guards one connection: the first handler that sees its bytes in plain text, there before
   * the first of them is read.
   */
  public ChannelHandler newHandler() {
    return new GuardedConnection(settings, refusals, stallEnd, nanoTime);
  }
}
