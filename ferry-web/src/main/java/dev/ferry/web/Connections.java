package dev.ferry.web;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;

/** The open connections of a server. Thread-safe. */
final class Connections {
  private static final int CLOSE_SECONDS = 2;

  private final ChannelGroup open = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private volatile boolean closed;

  void add(Channel connection) {
    open.add(connection);
    if (closed) {
      // A client that was cut comes back while the server still listens.
      connection.close();
    }
  }

  /** Closes the connection of a client. */
  void cut(SocketAddress client) {
    open.close(connection -> client.equals(connection.remoteAddress()));
  }

  /**
   * Closes all, and those that are still to come, as a process that ends would: beneath HTTP/2's
   * handler, which would wait for its streams.
   */
  void cutAll() {
    closed = true;
    open.forEach(Connections::cut);
    open.newCloseFuture().awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
  }

  private static void cut(Channel connection) {
    ChannelHandlerContext first = connection.pipeline().firstContext();
    if (first == null) {
      connection.close();
    } else {
      first.close();
    }
  }
}
