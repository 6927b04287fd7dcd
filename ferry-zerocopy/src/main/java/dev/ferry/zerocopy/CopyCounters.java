package dev.ferry.zerocopy;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the messages of a {@link BytesField} whose bytes were copied, and those whose bytes were
 * not. Thread-safe.
 */
public final class CopyCounters {
  private final LongAdder handedOff = new LongAdder();
  private final LongAdder copiedOut = new LongAdder();
  private final LongAdder viewed = new LongAdder();
  private final LongAdder copiedIn = new LongAdder();

  CopyCounters() {}

  /**
   * The counts at one moment.
   *
   * @param handedOff messages sent in the buffers that they were created with
   * @param copiedOut messages whose bytes were copied to be sent
   * @param viewed messages received as views of the transport's buffers
   * @param copiedIn messages whose bytes were copied while they were received
   */
  public record Snapshot(long handedOff, long copiedOut, long viewed, long copiedIn) {}

  /** Returns the counts since the field was created. */
  public Snapshot snapshot() {
    return new Snapshot(handedOff.sum(), copiedOut.sum(), viewed.sum(), copiedIn.sum());
  }

  void handedOff(int messages) {
    handedOff.add(messages);
  }

  void copiedOut(int messages) {
    copiedOut.add(messages);
  }

  void viewed() {
    viewed.increment();
  }

  void copiedIn() {
    copiedIn.increment();
  }
}
