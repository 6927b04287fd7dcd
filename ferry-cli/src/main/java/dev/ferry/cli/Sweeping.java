package dev.ferry.cli;

import dev.ferry.core.local.LocalFileStore;

/** Deletes, beside serving, what killed processes left half-received in a store. */
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

  /** Ends the sweep, wherever it is, at its next file. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
