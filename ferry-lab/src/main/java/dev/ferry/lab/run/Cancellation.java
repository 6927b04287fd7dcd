package dev.ferry.lab.run;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends a run early from another thread, for instance a shutdown hook. Thread-safe.
 *
 * <p>Forks are killed, and again while any comes up, since one may just be starting.
 */
public final class Cancellation {
  private static final long PERIOD_MILLIS = 20;

  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean cancelled;

  /** Whether the run has been asked to end. */
  public boolean isCancelled() {
    return cancelled;
  }

  /** Says that the run has ended, left everything in order and said so. */
  public void ended() {
    ended.countDown();
  }

  /**
   * Ends the run and waits until it has left everything in order.
   *
   * @param seconds longest time to wait
   * @return whether it has
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
