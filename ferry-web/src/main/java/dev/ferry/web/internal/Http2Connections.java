package dev.ferry.web.internal;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;

/**
 * HTTP/2 connections with prior knowledge. A further connection is opened only if the others accept
 * no more calls.
 */
final class Http2Connections implements WebConnections {
  private final WebSockets sockets;
  private final EventLoop loop;

  /** Only the event loop accesses this list. */
  private final List<Http2ClientConnection> connections = new ArrayList<>();

  Http2Connections(WebSockets sockets) {
    this.sockets = sockets;
    this.loop = sockets.next();
  }

  @Override
  public Place place() {
    return new Place(loop, null);
  }

  @Override
  public void open(Place place, WebExchange exchange) {
    connections.removeIf(Http2ClientConnection::isClosed);
    for (Http2ClientConnection connection : connections) {
      if (connection.takesMore()) {
        connection.open(exchange);
        return;
      }
    }
    Http2ClientConnection connection = new Http2ClientConnection(sockets, loop);
    connections.add(connection);
    connection.open(exchange);
  }

  @Override
  public void release(Channel stream, boolean reusable) {
    stream.close();
  }

  @Override
  public void close() {
    sockets.close();
  }
}
