package dev.ferry.web.internal;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/** The connections of a client to its server. Thread-safe but for {@link #open}. */
interface WebConnections {
  /**
   * Where a call is going to be.
   *
   * @param loop of its connection
   * @param idle a connection that waits for a request; null if there is none
   */
  record Place(EventLoop loop, @Nullable Channel idle) {}

  /** Chooses the event loop of the next call. */
  Place place();

  /** Connects an exchange, or tells it why not; on the event loop of its place. */
  void open(Place place, WebExchange exchange);

  /**
   * Takes a connection back; on its event loop.
   *
   * @param reusable whether its exchange is complete and the server keeps it
   */
  void release(Channel connection, boolean reusable);

  /** Cuts all connections. */
  void close();
}
