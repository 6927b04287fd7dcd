package dev.ferry.grpc.internal;

import dev.ferry.core.FerryException;
import dev.ferry.core.Transfer;
import io.grpc.CallOptions;
import io.grpc.Channel;

/**
 * The channel of a client with what differs between gRPC and gRPC-Web. {@link GrpcCarrier} makes
 * the same calls over both. Thread-safe.
 */
public interface ClientChannel {
  /**
   * Returns the channel, which honors {@link CallOptions#getStreamTracerFactories} and frames
   * messages as the {@linkplain GrpcSetup#framing framing} of the client's setup requires.
   */
  Channel channel();

  /** Returns the protocol as in {@link Transfer#protocol}. */
  String protocol();

  /** Returns whether the channel itself detects an unresponsive server by keepalive pings. */
  boolean pings();

  /**
   * Returns whether a call is made once more because the server was closing its connection when the
   * call began.
   *
   * @param safe whether the call changes nothing at the server
   */
  boolean mayRepeat(FerryException failure, boolean safe);

  /**
   * Closes the connections and stops the threads of the channel. Running calls fail. Waits a few
   * seconds at most.
   *
   * @param idle whether no handler of a call can still be writing
   */
  void close(boolean idle);
}
