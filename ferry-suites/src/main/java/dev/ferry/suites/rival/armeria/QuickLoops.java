package dev.ferry.suites.rival.armeria;

import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Event loops that Armeria stops without waiting two seconds for work that will not come. */
final class QuickLoops extends MultiThreadIoEventLoopGroup {
  private static final int FIRST_READ = 16 * 1024;
  private static final int LARGEST_READ = 256 * 1024;
  private static final int CLOSE_MILLIS = 5_000;

  /** Handlers on other threads may still be writing; what they write is then still released. */
  private static final int QUIET_MILLIS = 100;

  QuickLoops(String name, int threads) {
    super(threads, new DefaultThreadFactory(name, true), io());
  }

  private static IoHandlerFactory io() {
    return Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
  }

  /** Reads of up to 256 KiB, where Netty stops at 64: pieces worth a gathering write. */
  static RecvByteBufAllocator reads() {
    return new AdaptiveRecvByteBufAllocator(FIRST_READ, FIRST_READ, LARGEST_READ);
  }

  @Override
  public Future<?> shutdownGracefully() {
    return shutdownGracefully(QUIET_MILLIS, CLOSE_MILLIS, TimeUnit.MILLISECONDS);
  }
}
