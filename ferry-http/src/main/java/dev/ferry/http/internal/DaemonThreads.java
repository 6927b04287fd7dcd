package dev.ferry.http.internal;

import java.util.concurrent.ThreadFactory;

/**
 * Makes threads that keep no JVM alive.
 *
 * @param name of each
 */
public record DaemonThreads(String name) implements ThreadFactory {
  @Override
  public Thread newThread(Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
