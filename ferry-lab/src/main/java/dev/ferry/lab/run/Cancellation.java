package dev.ferry.lab.run;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends a run early from another thread, for instance a shutdown hook. Thread-safe.
 *
 * <p>Forks are killed repeatedly until the run ends, because a fork may be starting at the time of
 * the first kill.
 */
public final class Cancellation {
  private static final long PERIOD_MILLIS = 20;

  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean cancelled;

  /** Returns whether the run was asked to end. */
  public boolean isCancelled() {
    return cancelled;
  }

  /** Signals that the run has ended and that its results and cleanup are complete. */
  public void ended() {
    ended.countDown();
  }

  /**
   * Ends the run and waits until it is complete.
   *
   * @param seconds the longest time to wait
   * @return whether the run has ended
   */
  public boolean cancel(int seconds) {
    cancelled = true;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    try {
      do {
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
        if (ended.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS)) {
          return true;
        }
      } while (System.nanoTime() - end < 0);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }
}
