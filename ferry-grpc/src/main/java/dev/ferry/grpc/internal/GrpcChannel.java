package dev.ferry.grpc.internal;

import dev.ferry.core.FerryException;
import dev.ferry.grpc.internal.transport.Shutdown;
import dev.ferry.zerocopy.EventLoops;
import io.grpc.ManagedChannel;

/**
 * A channel of grpc-java on Netty.
 *
 * @param loops the event loops of this channel alone
 */
record GrpcChannel(ManagedChannel channel, EventLoops loops, String protocol)
    implements ClientChannel {
  @Override
  public boolean pings() {
    return true;
  }

  @Override
  public boolean mayRepeat(FerryException failure, boolean safe) {
    return false;
  }

  @Override
  public void close(boolean idle) {
    Shutdown.now(channel);
    if (idle) {
      loops.closeIdle();
    } else {
      loops.close();
    }
  }
}
