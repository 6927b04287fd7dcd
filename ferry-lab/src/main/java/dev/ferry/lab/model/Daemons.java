package dev.ferry.lab.model;

/** Threads that end with their process. */
public final class Daemons {
  private Daemons() {}

  /** Starts a thread. */
  public static Thread start(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
