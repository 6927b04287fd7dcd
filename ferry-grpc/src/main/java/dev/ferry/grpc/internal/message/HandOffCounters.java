package dev.ferry.grpc.internal.message;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Counts chunks that were transferred with and without a copy. Thread-safe. */
public final class HandOffCounters {
  private final LongAdder handedOff = new LongAdder();
  private final LongAdder copiedOut = new LongAdder();
  private final LongAdder viewed = new LongAdder();
  private final LongAdder decompressed = new LongAdder();
  private final LongAdder copiedIn = new LongAdder();

  /**
   * The counts at one moment.
   *
   * @param handedOff chunks sent in the buffer that they were read into or compressed into
   * @param copiedOut chunks copied while they were sent
   * @param viewed chunks written from the buffers in which they arrived
   * @param decompressed chunks decompressed from the buffers in which they arrived and written from
   *     the buffers with the decompressed data
   * @param copiedIn chunks copied while they were received
   */
  public record Snapshot(
      long handedOff, long copiedOut, long viewed, long decompressed, long copiedIn) {}

  /** Returns the counts since the server or carrier was opened. */
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

  void written(List<ChunkMessage.Payload> payloads) {
    for (ChunkMessage.Payload payload : payloads) {
      if (payload instanceof DetachedMessage) {
        viewed.increment();
      } else if (payload instanceof ChunkMessage.Buffered buffered && buffered.decompressed()) {
        decompressed.increment();
      }
    }
  }

  void copiedIn() {
    copiedIn.increment();
  }
}
