package dev.ferry.suites.rival.armeria;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Event loops that Armeria stops without waiting two seconds for work that will not come. */
final class QuickLoops extends MultiThreadIoEventLoopGroup {
  private static final int CLOSE_MILLIS = 5_000;

  /** Handlers on other threads may still be writing; what they write is then still released. */
  private static final int QUIET_MILLIS = 100;

  QuickLoops(String name, int threads) {
    super(threads, new DefaultThreadFactory(name, true), io());
  }

  private static IoHandlerFactory io() {
    return Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
  }

  /** For a server's listening socket. */
  static QuickLoops one(String name) {
    return new QuickLoops(name, 1);
  }

  @Override
  public Future<?> shutdownGracefully() {
    return shutdownGracefully(QUIET_MILLIS, CLOSE_MILLIS, TimeUnit.MILLISECONDS);
  }
}
