package dev.ferry.zerocopy;

/**
 * The event loops of servers and channels that have none of their own: all servers of a process
 * share them, and all clients others, as with grpc-java.
 */
final class SharedLoops {
  private SharedLoops() {}

  private static final class Servers {
    static final EventLoops ACCEPTING = new EventLoops("zerocopy-accept", 1);
    static final EventLoops WORKERS = new EventLoops("zerocopy-server", processors());
  }

  private static final class Clients {
    static final EventLoops WORKERS = new EventLoops("zerocopy-client", processors());
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

  private static int processors() {
    return Runtime.getRuntime().availableProcessors();
  }
}
