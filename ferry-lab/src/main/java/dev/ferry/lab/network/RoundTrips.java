package dev.ferry.lab.network;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;

/**
 * Counts round trips over a wire: half of the longest chain of messages that ended at the client,
 * in which each was sent when the one before had arrived. A message is a TCP segment that opens a
 * connection or has bytes of one. The forwarder sees that, whatever the time of a round trip is and
 * whatever else takes time.
 *
 * <p>Whether the sender of a message had waited for the one before is not known. So answers that
 * nobody needs, such as a WINDOW_UPDATE while data arrives, may count as well. Acknowledgements of
 * TCP do not count, and so its slow start does not. Messages of several connections form one chain,
 * so the count means something for operations that run one after another.
 */
public final class RoundTrips {
  private static final String DESCRIPTOR = "102";
  private static final double HOPS = 2;

  private final MappedByteBuffer hops;

  private RoundTrips(MappedByteBuffer hops) {
    this.hops = hops;
  }

  /**
   * Returns the counter of a wire.
   *
   * @throws IOException if its forwarder has ended
   */
  public static RoundTrips of(WireEnds ends) throws IOException {
    Path page = Path.of("/proc", Long.toString(ends.pid()), "fd", DESCRIPTOR);
    try (FileChannel channel = FileChannel.open(page)) {
      MappedByteBuffer hops = channel.map(MapMode.READ_ONLY, 0, Long.BYTES);
      hops.order(ByteOrder.nativeOrder());
      return new RoundTrips(hops);
    }
  }

  /** Returns the round trips since the wire was made. */
  public double count() {
    return hops.getLong(0) / HOPS;
  }
}
