package dev.ferry.http.internal.server;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * What the connections of a port share for WebDAV: its locks, and threads for changes of whole
 * trees, which would keep the workers from others for long. Thread-safe.
 */
public final class WebDav {
  private static final int THREADS = 4;
  private static final int IDLE_SECONDS = 10;

  private final WebDavLocks locks = new WebDavLocks(System::nanoTime);
  private final ThreadPoolExecutor trees =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          new DefaultThreadFactory("ferry-trees", true));

  public WebDav() {
    // They end by themselves: a change ends with its connection.
    trees.allowCoreThreadTimeOut(true);
  }

  WebDavLocks locks() {
    return locks;
  }

  Executor trees() {
    return trees;
  }
}
