package dev.ferry.grpc.message;

import java.util.concurrent.atomic.LongAdder;

/** How many chunks went without a copy, and how many did not. Thread-safe. */
public final class HandOffCounters {
  private final LongAdder handedOff = new LongAdder();
  private final LongAdder copiedOut = new LongAdder();
  private final LongAdder viewed = new LongAdder();
  private final LongAdder copiedIn = new LongAdder();

  /**
   * Counts at one moment.
   *
   * @param handedOff chunks sent in the buffer they were read into
   * @param copiedOut chunks copied on their way out
   * @param viewed chunks written from the buffers they arrived in
   * @param copiedIn chunks copied on their way in
   */
  public record Snapshot(long handedOff, long copiedOut, long viewed, long copiedIn) {}

  /** The counts since the server or carrier was opened. */
  public Snapshot snapshot() {
    return new Snapshot(handedOff.sum(), copiedOut.sum(), viewed.sum(), copiedIn.sum());
  }

  void handedOff(int chunks) {
    handedOff.add(chunks);
  }

  void copiedOut() {
    copiedOut.increment();
  }

  void viewed(int chunks) {
    viewed.add(chunks);
  }

  void copiedIn() {
    copiedIn.increment();
  }
}
