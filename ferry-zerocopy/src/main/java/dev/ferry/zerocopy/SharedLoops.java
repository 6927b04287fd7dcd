package dev.ferry.zerocopy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;

/**
 * Event loops and the matching sockets: epoll where its library loads, else NIO. All servers of a
 * process share one group, all clients another, as those of grpc-java do. The threads are daemons
 * and start when they are needed.
 */
final class SharedLoops {
  private static final boolean EPOLL = Epoll.isAvailable();

  private SharedLoops() {}

  private static final class Servers {
    static final EventLoopGroup BOSS = group("zerocopy-accept", 1);
    static final EventLoopGroup WORKERS =
        group("zerocopy-server", Runtime.getRuntime().availableProcessors());
  }

  private static final class Clients {
    static final EventLoopGroup WORKERS =
        group("zerocopy-client", Runtime.getRuntime().availableProcessors());
  }

  static EventLoopGroup boss() {
    return Servers.BOSS;
  }

  static EventLoopGroup serverWorkers() {
    return Servers.WORKERS;
  }

  static EventLoopGroup clientWorkers() {
    return Clients.WORKERS;
  }

  /** These classes are in Netty 4.1 and 4.2 alike. */
  @SuppressWarnings("deprecation")
  private static EventLoopGroup group(String name, int threads) {
    DefaultThreadFactory factory = new DefaultThreadFactory(name, true);
    return EPOLL
        ? new EpollEventLoopGroup(threads, factory)
        : new NioEventLoopGroup(threads, factory);
  }

  static ChannelFactory<Channel> clientChannels() {
    return EPOLL ? EpollSocketChannel::new : NioSocketChannel::new;
  }

  static ChannelFactory<ServerChannel> serverChannels() {
    return EPOLL ? EpollServerSocketChannel::new : NioServerSocketChannel::new;
  }
}
