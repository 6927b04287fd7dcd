package dev.ferry.grpc.internal.message;

import dev.ferry.zerocopy.CopyCounters;
import java.util.concurrent.atomic.LongAdder;

/** Counts chunks that were transferred with and without a copy. Thread-safe. */
public final class ChunkCounters {
  private final CopyCounters plain;
  private final LongAdder handedOff = new LongAdder();
  private final LongAdder copiedOut = new LongAdder();
  private final LongAdder decompressed = new LongAdder();

  /**
   * @param plain counts all but compressed chunks, and those that grpc-java decompressed
   */
  ChunkCounters(CopyCounters plain) {
    this.plain = plain;
  }

  /**
   * The counts at one moment.
   *
   * @param handedOff chunks sent in the buffer that they were read into or compressed into
   * @param copiedOut chunks copied while they were sent
   * @param viewed chunks received as views of the buffers in which they arrived
   * @param decompressed chunks decompressed from the buffers in which they arrived
   * @param copiedIn chunks copied while they were received
   */
  public record Snapshot(
      long handedOff, long copiedOut, long viewed, long decompressed, long copiedIn) {}

  /** Returns the counts since the server or carrier was opened. */
  public Snapshot snapshot() {
    CopyCounters.Snapshot counted = plain.snapshot();
    return new Snapshot(
        counted.handedOff() + handedOff.sum(),
        counted.copiedOut() + copiedOut.sum(),
        counted.viewed(),
        decompressed.sum(),
        counted.copiedIn());
  }

  /** Counts a compressed chunk. */
  void sent(boolean withoutCopy) {
    (withoutCopy ? handedOff : copiedOut).increment();
  }

  void decompressed() {
    decompressed.increment();
  }
}
