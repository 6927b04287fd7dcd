package dev.ferry.grpc.internal.transport;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import java.util.concurrent.TimeUnit;

/**
 * Terminates channels and servers and waits until they have terminated, for {@value #SECONDS}
 * seconds at most. If the calling thread is interrupted, it stops waiting and its interrupt flag
 * stays set.
 */
public final class Shutdown {
  private static final int SECONDS = 3;

  @FunctionalInterface
  private interface Termination {
    boolean await(long timeout, TimeUnit unit) throws InterruptedException;
  }

  private Shutdown() {}

  /** Cancels the calls of a channel. */
  public static void now(ManagedChannel channel) {
    channel.shutdownNow();
    await(channel::awaitTermination);
  }

  /** Cancels the calls of a server. */
  public static void now(Server server) {
    server.shutdownNow();
    await(server::awaitTermination);
  }

  /**
   * Accepts no more calls, waits up to {@value #SECONDS} seconds for running calls, then cancels
   * them.
   */
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
