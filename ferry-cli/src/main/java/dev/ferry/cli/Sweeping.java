package dev.ferry.cli;

import dev.ferry.core.local.LocalFileStore;

/**
 * Deletes temporary files of killed processes in a store on a background thread, while the server
 * runs.
 */
final class Sweeping implements AutoCloseable {
  private final Thread thread;

  private Sweeping(Thread thread) {
    this.thread = thread;
  }

  static Sweeping start(LocalFileStore store) {
    Thread thread = new Thread(store::sweep, "ferry-sweep");
    thread.setDaemon(true);
    thread.start();
    return new Sweeping(thread);
  }

  /** Stops the sweep at its next file. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
