package dev.ferry.cli;

import dev.ferry.core.local.LocalFileStore;
import java.util.concurrent.TimeUnit;

/**
 * Deletes temporary files of killed processes, and partial uploads that have expired, in a store on
 * a background thread, while the server runs.
 */
final class Sweeping implements AutoCloseable {
  private static final int EXPIRE_MINUTES = 5;

  private final Thread thread;

  private Sweeping(Thread thread) {
    this.thread = thread;
  }

  static Sweeping start(LocalFileStore store) {
    Thread thread = new Thread(() -> run(store), "ferry-sweep");
    thread.setDaemon(true);
    thread.start();
    return new Sweeping(thread);
  }

  private static void run(LocalFileStore store) {
    store.sweep();
    try {
      while (!Thread.currentThread().isInterrupted()) {
        store.expireUploads();
        TimeUnit.MINUTES.sleep(EXPIRE_MINUTES);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Stops the sweep at its next file. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
