package dev.ferry.lab.ceiling;

import dev.ferry.lab.model.Direction;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A way to move a file over a socket. Which one is the fastest depends on the machine.
 *
 * @param sendfile whether the kernel sends the file; otherwise it is read into a buffer
 * @param bufferBytes the size of the buffers of both ends in bytes
 * @param socketBufferBytes the size of the socket's buffers in bytes; 0 leaves it to the system
 */
record SocketWay(boolean sendfile, int bufferBytes, int socketBufferBytes) {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;

  static final List<SocketWay> ALL =
      List.of(
          new SocketWay(false, 64 * KIB, 0),
          new SocketWay(false, 256 * KIB, 0),
          new SocketWay(false, MIB, 0),
          new SocketWay(false, 256 * KIB, 4 * MIB),
          new SocketWay(true, 256 * KIB, 0),
          new SocketWay(true, MIB, 0),
          new SocketWay(true, MIB, 4 * MIB));

  /** The shortest time counts, so that the first round, which loads classes, does not matter. */
  private static final int ROUNDS = 5;

  /** Large files get fewer rounds than this takes. */
  private static final long BUDGET = TimeUnit.SECONDS.toNanos(2);

  /**
   * Returns the way with the shortest transfer of the source, among a few of each way in turn.
   *
   * @param port the port of a {@link MachineSuite} in another process; 0 for a server in this
   *     process
   */
  static SocketWay fastest(Direction direction, Workplace workplace, int port) throws IOException {
    List<SocketCeiling> ceilings = new ArrayList<>();
    try {
      for (SocketWay way : ALL) {
        ceilings.add(SocketCeiling.open(direction, way, workplace, port));
      }
      long[] shortest = new long[ALL.size()];
      Arrays.fill(shortest, Long.MAX_VALUE);
      long start = System.nanoTime();
      for (int round = 0; round < ROUNDS && System.nanoTime() - start < BUDGET; round++) {
        for (int i = 0; i < shortest.length; i++) {
          shortest[i] = Math.min(shortest[i], ceilings.get(i).trial());
        }
      }
      int best = 0;
      for (int i = 1; i < shortest.length; i++) {
        best = shortest[i] < shortest[best] ? i : best;
      }
      return ALL.get(best);
    } finally {
      CeilingOperation.closeAll(ceilings);
    }
  }

  private static String size(int bytes) {
    return bytes < MIB ? bytes / KIB + " KiB" : bytes / MIB + " MiB";
  }

  /** Returns a description, for instance {@code sendfile, 1 MiB, socket buffers of 4 MiB}. */
  @Override
  public String toString() {
    return (sendfile ? "sendfile, " : "copy, ")
        + size(bufferBytes)
        + (socketBufferBytes == 0 ? "" : ", socket buffers of " + size(socketBufferBytes));
  }
}
