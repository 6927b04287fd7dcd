package dev.ferry.lab.network;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;

/**
 * What a forwarder counts in a page of memory that processes at the ends of its wire can read: the
 * forwarder sees each packet, whatever the time of a round trip is and whatever else takes time.
 *
 * <p>Messages of several connections form one chain, so the count of round trips means something
 * for operations that run one after another.
 */
public final class SharedCounters {
  private static final String DESCRIPTOR = "102";
  private static final double HOPS = 2;

  /** The page has two numbers for each end: hops, and bytes that were sent again. */
  private static final int CLIENT_HOPS = 0;

  private static final int CLIENT_SENT_AGAIN = 2 * Long.BYTES;
  private static final int SERVER_SENT_AGAIN = 3 * Long.BYTES;
  private static final int SIZE = 4 * Long.BYTES;

  private final MappedByteBuffer page;

  private SharedCounters(MappedByteBuffer page) {
    this.page = page;
  }

  /**
   * Returns the counters of a wire.
   *
   * @throws IOException if its forwarder has ended
   */
  public static SharedCounters of(WireEnds ends) throws IOException {
    Path page = Path.of("/proc", Long.toString(ends.pid()), "fd", DESCRIPTOR);
    try (FileChannel channel = FileChannel.open(page)) {
      MappedByteBuffer counters = channel.map(MapMode.READ_ONLY, 0, SIZE);
      counters.order(ByteOrder.nativeOrder());
      return new SharedCounters(counters);
    }
  }

  /**
   * Returns the round trips since the wire was made: half of the longest chain of messages that
   * ended at the client, in which each was sent when the one before had arrived. A message is a TCP
   * segment that opens a connection or has bytes of one.
   *
   * <p>Whether the sender of a message had waited for the one before is not known. So answers that
   * nobody needs, such as a WINDOW_UPDATE while data arrives, may count as well. Acknowledgements
   * of TCP do not count, and so its slow start does not.
   */
  public double roundTrips() {
    return page.getLong(CLIENT_HOPS) / HOPS;
  }

  /**
   * Returns the bytes that TCP has sent again since the wire was made, of both directions and
   * without headers. Bytes that were sent three times count twice.
   */
  public long retransmittedBytes() {
    return page.getLong(CLIENT_SENT_AGAIN) + page.getLong(SERVER_SENT_AGAIN);
  }
}
