package dev.ferry.lab.model;

/** Creates threads that do not keep a process from its end. */
public final class Daemon {
  private Daemon() {}

  /** Creates a thread, which does not run yet. */
  public static Thread of(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Starts a thread. */
  public static Thread start(String name, Runnable task) {
    Thread thread = of(name, task);
    thread.start();
    return thread;
  }
}
