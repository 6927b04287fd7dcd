package dev.ferry.zerocopy;

import io.netty.buffer.ByteBufAllocator;

/**
 * The event loops and the pools of servers and channels that have none of their own: all servers of
 * a process share them, and all clients others, as grpc-java's event loops.
 */
final class SharedEnds {
  private SharedEnds() {}

  private static final class Servers {
    static final ByteBufAllocator POOL = ZeroCopy.newPool();
    static final EventLoops ACCEPTING = new EventLoops("zerocopy-accept", 1);
    static final EventLoops WORKERS = new EventLoops("zerocopy-server", processors());
  }

  private static final class Clients {
    static final ByteBufAllocator POOL = ZeroCopy.newPool();
    static final EventLoops WORKERS = new EventLoops("zerocopy-client", processors());
  }

  private static final class Senders {
    static final ByteBufAllocator POOL = ZeroCopy.newPool();
  }

  static EventLoops accepting() {
    return Servers.ACCEPTING;
  }

  static EventLoops servers() {
    return Servers.WORKERS;
  }

  static EventLoops clients() {
    return Clients.WORKERS;
  }

  static ByteBufAllocator serverPool() {
    return Servers.POOL;
  }

  static ByteBufAllocator clientPool() {
    return Clients.POOL;
  }

  /** The pool of what is sent; which end sends it is not known. */
  static ByteBufAllocator sendPool() {
    return Senders.POOL;
  }

  private static int processors() {
    return Runtime.getRuntime().availableProcessors();
  }
}
