package dev.ferry.cli;

import dev.ferry.core.FerryException;
import dev.ferry.core.internal.DaemonThreads;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes temporary files of killed processes, and partial uploads that have expired, in a store on
 * a background thread, while the server runs.
 */
record Sweeping(Thread thread) implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Sweeping.class);
  private static final int EXPIRE_MINUTES = 5;

  /** Deletes what has expired. */
  interface Expiry {
    void run() throws FerryException;
  }

  /**
   * Starts the thread.
   *
   * @param sweep runs now, and once a day
   * @param expiry runs every few minutes
   */
  static Sweeping start(Runnable sweep, Expiry expiry) {
    return new Sweeping(DaemonThreads.start("ferry-sweep", () -> run(sweep, expiry)));
  }

  private static void run(Runnable sweep, Expiry expiry) {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        sweep.run();
        for (int i = 0; i < TimeUnit.DAYS.toMinutes(1) / EXPIRE_MINUTES; i++) {
          expire(expiry);
          TimeUnit.MINUTES.sleep(EXPIRE_MINUTES);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void expire(Expiry expiry) {
    try {
      expiry.run();
    } catch (FerryException e) {
      if (!Thread.currentThread().isInterrupted()) {
        log.warn("expired uploads stay for now: {}", e.getMessage());
      }
    }
  }

  /** Stops the sweep at its next file. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
