package dev.ferry.web.internal;

import dev.ferry.core.Carrier;
import dev.ferry.grpc.internal.transport.EventLoops;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.util.function.Consumer;

/** Opens the sockets of a client and closes them together with their event loops. Thread-safe. */
final class WebSockets {
  private final EventLoops loops =
      new EventLoops("ferry-web-client", Runtime.getRuntime().availableProcessors());
  private final ChannelGroup open = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
  private final Bootstrap bootstrap;

  /**
   * @param host the address or host name of the server
   * @param allocator allocates the read buffers
   */
  WebSockets(String host, int port, ByteBufAllocator allocator) {
    this.bootstrap =
        new Bootstrap()
            .channelFactory(loops.clientChannels())
            .option(ChannelOption.ALLOCATOR, allocator)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(
                ChannelOption.CONNECT_TIMEOUT_MILLIS,
                Math.toIntExact(Carrier.CONNECT_TIMEOUT.toMillis()))
            // Netty's default maximum of 64 KiB would cost a download four times as many reads.
            .option(
                ChannelOption.RECVBUF_ALLOCATOR,
                new AdaptiveRecvByteBufAllocator(16 * 1024, 256 * 1024, 512 * 1024))
            .remoteAddress(host, port);
  }

  /** Returns the event loop of the next connection. */
  EventLoop next() {
    return loops.group().next();
  }

  /**
   * Opens a connection.
   *
   * @param setup adds the protocol handlers
   */
  ChannelFuture connect(EventLoop loop, Consumer<Channel> setup) {
    return bootstrap
        .clone(loop)
        .handler(
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel channel) {
                open.add(channel);
                setup.accept(channel);
              }
            })
        .connect();
  }

  /** Closes all connections, including those opened later, and stops the threads. */
  void close() {
    open.close();
    loops.close();
  }
}
