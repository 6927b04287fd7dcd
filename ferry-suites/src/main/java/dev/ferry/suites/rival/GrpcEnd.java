package dev.ferry.suites.rival;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import java.util.concurrent.TimeUnit;

/** Ends channels and servers, and waits for that a few seconds, or until an interrupt. */
public final class GrpcEnd {
  private static final int SECONDS = 3;

  private GrpcEnd() {}

  /** Cancels the calls of a channel. */
  public static void now(ManagedChannel channel) {
    channel.shutdownNow();
    try {
      boolean unused = channel.awaitTermination(SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Cancels the calls of a server. */
  public static void now(Server server) {
    await(server.shutdownNow());
  }

  /** Lets the calls of a server end before. */
  public static void afterCalls(Server server) {
    await(server.shutdown());
    now(server);
  }

  private static void await(Server server) {
    try {
      boolean unused = server.awaitTermination(SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
