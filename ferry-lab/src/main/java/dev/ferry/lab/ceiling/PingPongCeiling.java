package dev.ferry.lab.ceiling;

import dev.ferry.lab.suite.Pin;
import dev.ferry.lab.suite.ServerHost;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sends a few bytes from the caller's thread to an event loop, over a socket to another event loop,
 * and back the same way. Four threads are woken up, as for a unary call. Nothing else is done.
 */
final class PingPongCeiling implements CeilingOperation.Task {
  private static final int BYTES = 64;
  private static final int PATIENCE_SECONDS = 10;
  private static final int STOP_SECONDS = 2;

  private final @Nullable EventLoopGroup serverLoops;
  private final EventLoopGroup clientLoops = loops("ferry-ping-client");
  private final BlockingQueue<Integer> answers = new ArrayBlockingQueue<>(1);
  private final Channel client;
  private int received;
  private long answered;

  /**
   * Connects the two ends.
   *
   * @param port the port of a {@link MachineSuite} in another process, where a thread takes the
   *     place of the second event loop; 0 for a server in this process
   */
  PingPongCeiling(int port) throws IOException {
    serverLoops = port == 0 ? loops("ferry-ping-server") : null;
    SocketAddress address =
        serverLoops == null
            ? new InetSocketAddress(ServerHost.address(), port)
            : startServer(serverLoops).localAddress();
    client =
        opened(
            new Bootstrap()
                .group(clientLoops)
                .channel(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(handler(this::receive))
                .connect(address));
    if (serverLoops == null) {
      ByteBuf request = Unpooled.wrappedBuffer(CeilingRequest.echo().bytes());
      client.writeAndFlush(request, client.voidPromise());
    }
  }

  private Channel startServer(EventLoopGroup serverLoops) throws IOException {
    serverLoops.next().submit(PingPongCeiling::pin).syncUninterruptibly();
    return opened(
        new ServerBootstrap()
            .group(serverLoops)
            .channel(
                Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(handler(this::echo))
            .bind(InetAddress.getLoopbackAddress(), 0));
  }

  private static boolean pin() throws IOException {
    Pin.pinServerThread();
    return true;
  }

  private static EventLoopGroup loops(String name) {
    IoHandlerFactory io =
        Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    return new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory(name, true), io);
  }

  private Channel opened(ChannelFuture opening) throws IOException {
    if (!opening.awaitUninterruptibly().isSuccess()) {
      close();
      throw new IOException("no connection: " + opening.cause(), opening.cause());
    }
    return opening.channel();
  }

  private static ChannelInitializer<Channel> handler(
      BiConsumer<ChannelHandlerContext, ByteBuf> arrival) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        channel
            .pipeline()
            .addLast(
                new ChannelInboundHandlerAdapter() {
                  @Override
                  public void channelRead(ChannelHandlerContext context, Object bytes) {
                    arrival.accept(context, (ByteBuf) bytes);
                  }
                });
      }
    };
  }

  private void echo(ChannelHandlerContext context, ByteBuf bytes) {
    context.writeAndFlush(bytes, context.voidPromise());
  }

  private void receive(ChannelHandlerContext context, ByteBuf bytes) {
    received += bytes.readableBytes();
    bytes.release();
    if (received >= BYTES) {
      answers.add(received);
      received = 0;
    }
  }

  @Override
  public void prepare() {
    answered = 0;
  }

  @Override
  public void run(int operation) throws IOException {
    client.writeAndFlush(client.alloc().buffer(BYTES).writeZero(BYTES), client.voidPromise());
    try {
      Integer bytes = answers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (bytes == null || bytes != BYTES) {
        throw new IOException("%d bytes were sent, %s came back".formatted(BYTES, bytes));
      }
      answered++;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for the answer", e);
    }
  }

  @Override
  public void check(int operation) throws IOException {
    if (answered == 0) {
      throw new IOException("nothing was sent");
    }
  }

  @Override
  public void close() {
    Stream.of(clientLoops, serverLoops)
        .filter(Objects::nonNull)
        .forEach(
            group ->
                group
                    .shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS)
                    .awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS));
  }
}
