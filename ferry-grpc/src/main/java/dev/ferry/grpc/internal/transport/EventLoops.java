package dev.ferry.grpc.internal.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Threads that move bytes, and the sockets that fit them: epoll where it loads, NIO elsewhere.
 *
 * <p>Each server and each client has its own, so that both ends in one process share no thread:
 * shared loops look up to 40 % better than any deployment would.
 */
public final class EventLoops implements AutoCloseable {
  private static final int CLOSE_MILLIS = 5_000;

  /** Handlers on other threads may still be writing; what they write is then still released. */
  private static final int QUIET_MILLIS = 100;

  private final EventLoopGroup group;

  /**
   * Starts event loops.
   *
   * @param threads how many; 0 means Netty's default, twice the processors
   */
  public EventLoops(String name, int threads) {
    IoHandlerFactory io =
        Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    this.group = new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory(name, true), io);
  }

  /** The loops themselves, which this closes. */
  public EventLoopGroup group() {
    return group;
  }

  /** What makes sockets of clients for them. */
  public ChannelFactory<Channel> clientChannels() {
    return Epoll.isAvailable() ? EpollSocketChannel::new : NioSocketChannel::new;
  }

  ChannelFactory<ServerChannel> serverChannels() {
    return Epoll.isAvailable() ? EpollServerSocketChannel::new : NioServerSocketChannel::new;
  }

  /** Stops the threads; what is still connected is cut. */
  @Override
  public void close() {
    close(QUIET_MILLIS);
  }

  /** The same without waiting for handlers: none of them is writing any more. */
  public void closeIdle() {
    close(0);
  }

  private void close(int quietMillis) {
    group
        .shutdownGracefully(quietMillis, CLOSE_MILLIS, TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
  }
}
