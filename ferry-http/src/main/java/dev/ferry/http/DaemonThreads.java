package dev.ferry.http;

import java.util.concurrent.ThreadFactory;

/**
 * Makes threads that keep no JVM alive.
 *
 * @param name of each
 */
record DaemonThreads(String name) implements ThreadFactory {
  @Override
  public Thread newThread(Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
