package dev.ferry.core;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Limits the bytes per second of all transfers that have the same object in their options, as a
 * token bucket. The bucket holds 50 ms of bytes. It counts the bytes of the files: what is
 * compressed takes less of the network.
 *
 * <p>This end keeps to the limit when it sends and when it takes what has arrived. The other end of
 * a download may send more in advance, up to the receive window of the connection, and then goes on
 * as this end takes it.
 *
 * <p>Thread-safe. Those who wait are served in the order in which they took their bytes.
 */
public final class RateLimit {
  /** Lowest limit, in bytes per second. */
  public static final long MIN = 1024;

  private static final int MIN_CHUNK = 1024;
  private static final int MIN_WINDOW = 64 * 1024;
  private static final int BURSTS_PER_SECOND = 20;
  private static final long BURST_NANOS = TimeUnit.SECONDS.toNanos(1) / BURSTS_PER_SECOND;
  private static final double NANOS_PER_SECOND = 1e9;

  /** The time, and how it passes. */
  interface Clock {
    /** The clock of the system. */
    Clock SYSTEM =
        new Clock() {
          @Override
          public long nanoTime() {
            return System.nanoTime();
          }

          @Override
          public void await(CountDownLatch ended, long nanos) throws InterruptedException {
            boolean unused = ended.await(nanos, TimeUnit.NANOSECONDS);
          }
        };

    /** Returns nanoseconds since an arbitrary time. */
    long nanoTime();

    /** Waits for a time, or until the latch is open. */
    void await(CountDownLatch ended, long nanos) throws InterruptedException;
  }

  private final long bytesPerSecond;
  private final Clock clock;

  /** The time at which the bucket is full if nothing more is taken. */
  private long fullAt;

  RateLimit(long bytesPerSecond, Clock clock) {
    if (bytesPerSecond < MIN) {
      throw new IllegalArgumentException(
          bytesPerSecond + " bytes a second are too few; give " + MIN + " or more");
    }
    this.bytesPerSecond = bytesPerSecond;
    this.clock = clock;
    this.fullAt = clock.nanoTime();
  }

  /**
   * Creates a limit.
   *
   * @param value bytes per second, from {@value #MIN}
   * @throws IllegalArgumentException if the limit is lower; the message is one line
   */
  public static RateLimit bytesPerSecond(long value) {
    return new RateLimit(value, Clock.SYSTEM);
  }

  /** Returns the limit in bytes per second. */
  public long bytesPerSecond() {
    return bytesPerSecond;
  }

  /**
   * Returns the bytes that pass in 50 ms, from 1 KiB to {@link TransferOptions#MAX_CHUNK}. With
   * larger chunks, single pauses would be long.
   */
  public int chunkSize() {
    long chunk = Math.max(MIN_CHUNK, bytesPerSecond / BURSTS_PER_SECOND);
    return (int) Math.min(chunk, TransferOptions.MAX_CHUNK);
  }

  /**
   * Returns the window of a stream, in bytes, whose receiver has a limit: what passes in a second,
   * at least 64 KiB. The sender sends a window of data at once, however slowly it is taken.
   *
   * @param limit null for no limit
   * @param largest the window without a limit, and the largest one
   */
  public static int window(@Nullable RateLimit limit, int largest) {
    return limit == null
        ? largest
        : (int) Math.min(largest, Math.max(MIN_WINDOW, limit.bytesPerSecond()));
  }

  /**
   * Returns the current time of the clock of this limit, in nanoseconds since an arbitrary time.
   */
  public long nanoTime() {
    return clock.nanoTime();
  }

  /**
   * Takes bytes from the bucket, even if it does not hold as many.
   *
   * @param bytes from 0
   * @return the nanoseconds for which the caller has to wait; 0 or less if the bucket held the
   *     bytes
   */
  public synchronized long take(long bytes) {
    long now = clock.nanoTime();
    long ahead = Math.max(fullAt - now, 0) + (long) (bytes * NANOS_PER_SECOND / bytesPerSecond);
    fullAt = now + ahead;
    return ahead - BURST_NANOS;
  }

  /** Waits for a time in nanoseconds, or until the latch is open. */
  public void await(CountDownLatch ended, long nanos) throws InterruptedException {
    clock.await(ended, nanos);
  }
}
