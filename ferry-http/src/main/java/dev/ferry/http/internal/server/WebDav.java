package dev.ferry.http.internal.server;

import dev.ferry.wire.internal.DiskWorkers;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;

/**
 * What the connections of a port share for WebDAV: its locks, and threads for changes of whole
 * trees, which would keep the workers from others for long. Thread-safe.
 */
public final class WebDav {
  private static final int THREADS = 4;

  private final WebDavLocks locks = new WebDavLocks(System::nanoTime);
  private final ExecutorService copies = DiskWorkers.start("ferry-copies", THREADS);
  private final ExecutorService deletions = DiskWorkers.start("ferry-deletions", THREADS);

  /** Waits a few seconds for changes that run, which end with their connections. */
  public void stop() {
    DiskWorkers.stop(copies);
    DiskWorkers.stop(deletions);
  }

  WebDavLocks locks() {
    return locks;
  }

  /** The threads of copies, which may take long, or of all else; so neither waits for the other. */
  Executor trees(boolean copies) {
    return copies ? this.copies : deletions;
  }
}
