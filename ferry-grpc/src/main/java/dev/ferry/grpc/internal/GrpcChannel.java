package dev.ferry.grpc.internal;

import dev.ferry.core.Transfer;
import dev.ferry.grpc.internal.transport.Shutdown;
import dev.ferry.zerocopy.EventLoops;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ManagedChannel;

/**
 * The channel of a client. Thread-safe.
 *
 * @param channel honors {@link CallOptions#getStreamTracerFactories}
 * @param protocol as in {@link Transfer#protocol}
 * @param closing closes its connections and stops its threads
 */
public record GrpcChannel(Channel channel, String protocol, Closing closing) {
  /** Closes a channel. */
  @FunctionalInterface
  public interface Closing {
    /**
     * Closes the channel. Running calls fail. Waits a few seconds at most.
     *
     * @param idle whether no handler of a call can still be writing
     */
    void close(boolean idle);
  }

  /**
   * Returns a channel of grpc-java on Netty.
   *
   * @param loops the event loops of this channel alone
   */
  static GrpcChannel of(ManagedChannel channel, EventLoops loops, String protocol) {
    return new GrpcChannel(
        channel,
        protocol,
        idle -> {
          Shutdown.now(channel);
          if (idle) {
            loops.closeIdle();
          } else {
            loops.close();
          }
        });
  }
}
