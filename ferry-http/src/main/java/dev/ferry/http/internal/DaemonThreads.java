package dev.ferry.http.internal;

import java.util.concurrent.ThreadFactory;

/**
 * Creates daemon threads.
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
}
