package dev.ferry.cli.operate;

import dev.ferry.core.internal.DaemonThreads;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lines that a thread of its own writes, so that no transfer waits for a disk, or for the reader of
 * a pipe.
 *
 * <p>If too many wait, or they cannot be written, the server goes on and lines are lost: a log that
 * stops the service would let whoever fills the disk stop it. {@link #lost} counts them, and when
 * lines can be written again, one of them says how many are missing there. Thread-safe.
 */
final class LineQueue {
  /** Stands for the end of the lines. */
  private static final byte[] END = {};

  /** Where lines are written to. Its methods are called by one thread. */
  interface Target {
    /** Writes a line, which may take any time. */
    void append(byte[] line) throws IOException;

    /** Returns the line that stands for lines that were lost. */
    byte[] ofLost(long lines);

    /** Called when a line is lost because it cannot be written, and the one before was not. */
    default void fails(Exception why) {}

    /** Called after the last line. */
    default void close() {}
  }

  private final Target target;
  private final int mostBytes;
  private final BlockingQueue<byte[]> waiting = new LinkedBlockingQueue<>();
  private final AtomicInteger waitingBytes = new AtomicInteger();
  private final AtomicLong lost = new AtomicLong();
  private final Thread writer;
  private long lostInTarget;
  private boolean failing;

  private LineQueue(String thread, Target target, int mostBytes) {
    this.target = target;
    this.mostBytes = mostBytes;
    this.writer = new DaemonThreads(thread).newThread(this::write);
  }

  /**
   * Starts the thread.
   *
   * @param thread its name
   * @param mostBytes how many bytes of lines may wait
   */
  static LineQueue start(String thread, Target target, int mostBytes) {
    LineQueue lines = new LineQueue(thread, target, mostBytes);
    lines.writer.start();
    return lines;
  }

  /** Has a line written, or counts it as lost. Does not wait. */
  void add(byte[] line) {
    if (waitingBytes.addAndGet(line.length) > mostBytes) {
      waitingBytes.addAndGet(-line.length);
      lost.incrementAndGet();
    } else {
      waiting.add(line);
    }
  }

  /** Returns how many lines were lost. */
  long lost() {
    return lost.get();
  }

  private void write() {
    try {
      for (byte[] line = waiting.take(); line != END; line = waiting.take()) {
        waitingBytes.addAndGet(-line.length);
        write(line);
      }
      sayWhatIsMissing();
    } catch (InterruptedException e) {
      // Only end() interrupts, when it has waited for long enough.
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      fails(e);
    }
    target.close();
  }

  private void write(byte[] line) {
    try {
      sayWhatIsMissing();
      target.append(line);
      failing = false;
    } catch (IOException | RuntimeException e) {
      lost.incrementAndGet();
      fails(e);
    }
  }

  private void sayWhatIsMissing() throws IOException {
    long missing = lost.get() - lostInTarget;
    if (missing > 0) {
      target.append(target.ofLost(missing));
      lostInTarget += missing;
    }
  }

  private void fails(Exception why) {
    if (!failing) {
      failing = true;
      target.fails(why);
    }
  }

  /**
   * Writes what waits. No line may be added afterwards.
   *
   * @param most how long to wait for that
   * @return whether the thread has ended
   */
  boolean end(Duration most) {
    waiting.add(END);
    try {
      writer.join(most.toMillis());
      writer.interrupt();
    } catch (InterruptedException e) {
      writer.interrupt();
      Thread.currentThread().interrupt();
    }
    return !writer.isAlive();
  }
}
