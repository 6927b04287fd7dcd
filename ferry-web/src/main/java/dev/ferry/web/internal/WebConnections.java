package dev.ferry.web.internal;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/** The connections of a client to its server. Thread-safe except for {@link #open}. */
interface WebConnections {
  /**
   * The event loop and connection for a call.
   *
   * @param loop the event loop of the connection
   * @param idle an idle connection; null if there is none
   */
  record Place(EventLoop loop, @Nullable Channel idle) {}

  /** Selects the event loop of the next call. */
  Place place();

  /** Connects an exchange or reports the failure to it. Call on the event loop of the place. */
  void open(Place place, WebExchange exchange);

  /**
   * Returns a connection. Call on its event loop.
   *
   * @param reusable whether its exchange is complete and the server keeps the connection open
   */
  void release(Channel connection, boolean reusable);

  /** Closes all connections. */
  void close();
}
