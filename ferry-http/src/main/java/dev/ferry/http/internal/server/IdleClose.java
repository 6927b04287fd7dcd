package dev.ferry.http.internal.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Closes a connection that has had no request for too long, regardless of other received data. Only
 * the event loop accesses the state.
 */
final class IdleClose {
  private final ChannelHandlerContext context;
  private final long limit;
  private final BooleanSupplier idle;
  private long since = System.nanoTime();
  private Future<?> check;

  /**
   * Starts with a new connection.
   *
   * @param idle whether there is no request now
   */
  IdleClose(ChannelHandlerContext context, Duration limit, BooleanSupplier idle) {
    this.context = context;
    this.limit = limit.toNanos();
    this.idle = idle;
    this.check = checkAfter(this.limit);
  }

  private Future<?> checkAfter(long nanos) {
    return context.executor().schedule(this::check, nanos, TimeUnit.NANOSECONDS);
  }

  private void check() {
    long left = idle.getAsBoolean() ? since + limit - System.nanoTime() : limit;
    if (left > 0) {
      check = checkAfter(left);
    } else {
      context.close();
    }
  }

  /** Called when a request has ended. */
  void used() {
    since = System.nanoTime();
  }

  /** Called when the connection is closed or another handler has taken it over. */
  void end() {
    check.cancel(false);
  }
}
