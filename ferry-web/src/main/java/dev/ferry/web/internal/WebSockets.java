package dev.ferry.web.internal;

import dev.ferry.wire.Servers.Endpoint;
import dev.ferry.wire.internal.servers.Connecting;
import dev.ferry.zerocopy.EventLoops;
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
import io.netty.resolver.DefaultAddressResolverGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.PromiseNotifier;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Opens the sockets of a client and closes them together with their event loops. Thread-safe. */
final class WebSockets {
  private final EventLoops loops =
      new EventLoops("ferry-web-client", Runtime.getRuntime().availableProcessors());
  private final ChannelGroup open = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
  private final Bootstrap bootstrap;
  private final String host;
  private final String peer;
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
    this.peer = server.host();
    this.port = server.address().port();
    this.tls = tls;
    this.bootstrap =
        new Bootstrap()
            .channelFactory(loops.clientChannels())
            .option(ChannelOption.ALLOCATOR, allocator)
            .option(ChannelOption.TCP_NODELAY, true)
            // Until its handlers are there.
            .option(ChannelOption.AUTO_READ, false)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.toIntExact(timeout.toMillis()))
            // Netty's default maximum of 64 KiB would cost a download four times as many reads.
            .option(
                ChannelOption.RECVBUF_ALLOCATOR,
                new AdaptiveRecvByteBufAllocator(16 * 1024, 256 * 1024, 512 * 1024))
            .handler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    open.add(channel);
                  }
                });
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
    addresses(loop)
        .addListener(
            (Future<List<InetSocketAddress>> found) -> {
              if (found.isSuccess()) {
                new Race(loop, found.getNow(), connected).next();
              } else {
                connected.setFailure(found.cause());
              }
            });
    Promise<Channel> ready = loop.newPromise();
    connected.addListener(
        f -> {
          if (!f.isSuccess()) {
            ready.setFailure(f.cause());
            return;
          }
          Channel channel = connected.getNow();
          SslHandler secured = tls == null ? null : tls.newHandler(channel.alloc(), host, port);
          if (secured != null) {
            channel.pipeline().addLast(secured);
          }
          setup.accept(channel);
          channel.config().setAutoRead(true);
          if (secured == null) {
            ready.setSuccess(channel);
          } else {
            PromiseNotifier.cascade(secured.handshakeFuture(), ready);
          }
        });
    return ready;
  }

  private Future<List<InetSocketAddress>> addresses(EventLoop loop) {
    return DefaultAddressResolverGroup.INSTANCE
        .getResolver(loop)
        .resolveAll(InetSocketAddress.createUnresolved(peer, port));
  }

  /**
   * Connects to the first address that takes a connection, as {@link Connecting} does. Runs on its
   * event loop.
   */
  private final class Race {
    private final EventLoop loop;
    private final Iterator<InetSocketAddress> addresses;
    private final Promise<Channel> connected;
    private int waiting;
    private @Nullable Throwable failure;
    private @Nullable Future<?> turn;

    Race(EventLoop loop, List<InetSocketAddress> addresses, Promise<Channel> connected) {
      this.loop = loop;
      this.addresses = addresses.iterator();
      this.connected = connected;
    }

    /** Tries the next address, beside those that have not answered. */
    void next() {
      if (turn != null) {
        turn.cancel(false);
      }
      if (connected.isDone() || !addresses.hasNext()) {
        return;
      }
      waiting++;
      ChannelFuture one = bootstrap.clone(loop).connect(addresses.next());
      one.addListener(f -> ended(one));
      if (addresses.hasNext() && !connected.isDone()) {
        turn = loop.schedule(this::next, Connecting.STAGGER.toMillis(), TimeUnit.MILLISECONDS);
      }
    }

    private void ended(ChannelFuture one) {
      waiting--;
      if (one.isSuccess()) {
        if (!connected.trySuccess(one.channel())) {
          one.channel().close();
        }
        return;
      }
      failure = Connecting.moreTelling(failure, one.cause());
      next();
      if (waiting == 0 && failure != null) {
        boolean unused = connected.tryFailure(failure);
      }
    }
  }

  /** Closes all connections, including those opened later, and stops the threads. */
  void close() {
    open.close();
    loops.close();
  }
}
