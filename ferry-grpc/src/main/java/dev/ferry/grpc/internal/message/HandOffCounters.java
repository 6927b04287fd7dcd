package dev.ferry.grpc.internal.message;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** How many chunks went without a copy, and how many did not. Thread-safe. */
public final class HandOffCounters {
  private final LongAdder handedOff = new LongAdder();
  private final LongAdder copiedOut = new LongAdder();
  private final LongAdder viewed = new LongAdder();
  private final LongAdder decompressed = new LongAdder();
  private final LongAdder copiedIn = new LongAdder();

  /**
   * Counts at one moment.
   *
   * @param handedOff chunks sent in the buffer they were read into, or compressed into
   * @param copiedOut chunks copied on their way out
   * @param viewed chunks written from the buffers they arrived in
   * @param decompressed chunks decompressed from the buffers they arrived in, and written from the
   *     buffers they were decompressed to
   * @param copiedIn chunks copied on their way in
   */
  public record Snapshot(
      long handedOff, long copiedOut, long viewed, long decompressed, long copiedIn) {}

  /** The counts since the server or carrier was opened. */
  public Snapshot snapshot() {
    return new Snapshot(
        handedOff.sum(), copiedOut.sum(), viewed.sum(), decompressed.sum(), copiedIn.sum());
  }

  void handedOff(int chunks) {
    handedOff.add(chunks);
  }

  void copiedOut() {
    copiedOut.increment();
  }

  void written(List<Piece> pieces) {
    int views = 0;
    for (Piece piece : pieces) {
      views += piece instanceof ZeroCopyMessage.Incoming ? 1 : 0;
    }
    viewed.add(views);
    decompressed.add(pieces.size() - views);
  }

  void copiedIn() {
    copiedIn.increment();
  }
}
