package dev.ferry.lab.suite;

import dev.ferry.lab.model.Part;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * The schedule of operations that arrive at a constant rate, whether or not earlier ones have ended
 * (open loop). The time of an operation counts from its intended start, so that the time in which
 * it waits for a worker is included; a closed loop does not see it (coordinated omission).
 *
 * <p>The rate is a part of the capacity, which is the throughput of the last closed loops before
 * {@link #begin}. Workers call {@link #await} concurrently; one thread calls all other methods.
 */
final class OpenLoop {
  /** The capacity is the median of this many closed loops. */
  private static final int LOOPS = 5;

  private static final double PERCENT = 100;
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final double NANOS_PER_MICRO = TimeUnit.MICROSECONDS.toNanos(1);

  /** The workers need a moment to begin. */
  private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final int percent;
  private final Deque<Double> nanosPerOperation = new ArrayDeque<>();
  private final LongAdder lateNanos = new LongAdder();
  private boolean begun;
  private double interval;
  private long first;

  /**
   * Creates a schedule.
   *
   * @param percent the rate as a part of the capacity, 1 to 100
   */
  OpenLoop(int percent) {
    this.percent = percent;
  }

  /** Notes how long a closed loop took. */
  void recordClosedLoop(int operations, long nanos) {
    nanosPerOperation.addLast((double) nanos / operations);
    if (nanosPerOperation.size() > LOOPS) {
      nanosPerOperation.removeFirst();
    }
  }

  /** Ends the closed loops. At least one must have been noted. */
  void begin() {
    List<Double> sorted = nanosPerOperation.stream().sorted().toList();
    interval = sorted.get(sorted.size() / 2) * PERCENT / percent;
    begun = true;
  }

  /** Returns whether the closed loops have ended. */
  boolean begun() {
    return begun;
  }

  /** Begins the operations of a sample. */
  void beginSample() {
    lateNanos.reset();
    first = System.nanoTime() + FIRST_NANOS;
  }

  /**
   * Waits for the intended start of an operation, which may be past. Returns it in nanoseconds.
   *
   * @throws InterruptedIOException if the thread was interrupted
   */
  long await(int operation) throws InterruptedIOException {
    long intended = first + Math.round(operation * interval);
    boolean waited = false;
    for (long left = intended - System.nanoTime(); left > 0; left = intended - System.nanoTime()) {
      LockSupport.parkNanos(left);
      waited = true;
      // Parking ends at once if the thread was interrupted.
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("interrupted while waiting for the start of an operation");
      }
    }
    if (waited) {
      lateNanos.add(System.nanoTime() - intended);
    }
    return intended;
  }

  /**
   * Returns the rate per second, and how late the system woke the workers in the mean of all
   * operations, which is included in their time.
   */
  List<Part> parts(int operations) {
    return List.of(
        new Part("Rate", "/s", NANOS_PER_SECOND / interval),
        new Part("Wake-up delay", "us", lateNanos.sum() / NANOS_PER_MICRO / operations));
  }
}
