package dev.ferry.web.internal;

import dev.ferry.grpc.internal.transport.EventLoops;
import dev.ferry.wire.Servers.Endpoint;
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
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.PromiseNotifier;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Opens the sockets of a client and closes them together with their event loops. Thread-safe. */
final class WebSockets {
  private final EventLoops loops =
      new EventLoops("ferry-web-client", Runtime.getRuntime().availableProcessors());
  private final ChannelGroup open = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
  private final Bootstrap bootstrap;
  private final String host;
  private final int port;
  private final @Nullable SslContext tls;

  /**
   * @param server the server, with a certificate for the host of its address
   * @param timeout time to establish a connection
   * @param allocator allocates the read buffers
   * @param tls null for plaintext
   */
  WebSockets(
      Endpoint server, Duration timeout, ByteBufAllocator allocator, @Nullable SslContext tls) {
    this.host = server.address().host();
    this.port = server.address().port();
    this.tls = tls;
    this.bootstrap =
        new Bootstrap()
            .channelFactory(loops.clientChannels())
            .option(ChannelOption.ALLOCATOR, allocator)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.toIntExact(timeout.toMillis()))
            // Netty's default maximum of 64 KiB would cost a download four times as many reads.
            .option(
                ChannelOption.RECVBUF_ALLOCATOR,
                new AdaptiveRecvByteBufAllocator(16 * 1024, 256 * 1024, 512 * 1024))
            .remoteAddress(server.host(), port);
  }

  /** Returns the event loop of the next connection. */
  EventLoop next() {
    return loops.group().next();
  }

  /**
   * Opens a connection.
   *
   * @param setup adds the protocol handlers
   * @return the connection, after the TLS handshake
   */
  Future<Channel> connect(EventLoop loop, Consumer<Channel> setup) {
    Promise<Channel> connected = loop.newPromise();
    ChannelFuture connecting =
        bootstrap
            .clone(loop)
            .handler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    open.add(channel);
                    if (tls != null) {
                      channel.pipeline().addLast(tls.newHandler(channel.alloc(), host, port));
                    }
                    setup.accept(channel);
                  }
                })
            .connect();
    connecting.addListener(
        f -> {
          SslHandler handshake = connecting.channel().pipeline().get(SslHandler.class);
          if (!f.isSuccess()) {
            connected.setFailure(f.cause());
          } else if (handshake == null) {
            connected.setSuccess(connecting.channel());
          } else {
            PromiseNotifier.cascade(handshake.handshakeFuture(), connected);
          }
        });
    return connected;
  }

  /** Closes all connections, including those opened later, and stops the threads. */
  void close() {
    open.close();
    loops.close();
  }
}
