package dev.ferry.http.internal.server;

import dev.ferry.net.internal.DiskWorkers;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.List;
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
  private final ThreadPoolExecutor copies = pool("ferry-copies");
  private final ThreadPoolExecutor deletions = pool("ferry-deletions");

  private static ThreadPoolExecutor pool(String name) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new DefaultThreadFactory(name, true));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** Waits a few seconds for changes that run, which end with their connections. */
  public void stop() {
    for (ThreadPoolExecutor pool : List.of(copies, deletions)) {
      pool.shutdown();
      DiskWorkers.stop(pool);
    }
  }

  WebDavLocks locks() {
    return locks;
  }

  /** The threads of copies, which may take long, or of all else; so neither waits for the other. */
  Executor trees(boolean copies) {
    return copies ? this.copies : deletions;
  }
}
