package dev.ferry.core.internal;

import java.util.concurrent.ThreadFactory;

/**
 * Creates daemon threads, which do not keep a process from its end.
 *
 * @param name the name of each thread
 */
public record DaemonThreads(String name) implements ThreadFactory {
  @Override
  public Thread newThread(Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Starts one thread. */
  public static Thread start(String name, Runnable task) {
    Thread thread = new DaemonThreads(name).newThread(task);
    thread.start();
    return thread;
  }
}
