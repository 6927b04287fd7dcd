package dev.ferry.grpc.internal.transport;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import java.util.concurrent.TimeUnit;

/**
 * Ends channels and servers, and waits until they have ended, for {@value #SECONDS} seconds at
 * most. A caller who is interrupted waits no longer, and stays interrupted.
 */
public final class Shutdown {
  private static final int SECONDS = 3;

  @FunctionalInterface
  private interface Termination {
    boolean await(long timeout, TimeUnit unit) throws InterruptedException;
  }

  private Shutdown() {}

  /** Cuts the calls of a channel. */
  public static void now(ManagedChannel channel) {
    channel.shutdownNow();
    await(channel::awaitTermination);
  }

  /** Cuts the calls of a server. */
  public static void now(Server server) {
    server.shutdownNow();
    await(server::awaitTermination);
  }

  /** Takes no more calls, waits for those that run, as long again, then cuts them. */
  public static void afterCalls(Server server) {
    server.shutdown();
    await(server::awaitTermination);
    now(server);
  }

  private static void await(Termination termination) {
    try {
      termination.await(SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
