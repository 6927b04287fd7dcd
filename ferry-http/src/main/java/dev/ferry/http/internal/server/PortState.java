package dev.ferry.http.internal.server;

import dev.ferry.core.internal.NameMemory;
import dev.ferry.wire.internal.DiskWorkers;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;

/**
 * What the connections of a port share: the locks of WebDAV, threads for changes of whole trees,
 * which would keep the workers from others for long, and the memory of archives. Thread-safe.
 */
public final class PortState {
  private static final int THREADS = 4;

  private final WebDavLocks locks = new WebDavLocks(System::nanoTime);
  private final ExecutorService copies;
  private final ExecutorService deletions;
  private final NameMemory archives = NameMemory.ofTheHeap();

  public PortState() {
    this(DiskWorkers.start("ferry-copies", THREADS), DiskWorkers.start("ferry-deletions", THREADS));
  }

  /** Has other threads change trees. */
  PortState(ExecutorService copies, ExecutorService deletions) {
    this.copies = copies;
    this.deletions = deletions;
  }

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

  /** The memory of the names in all archives that are being sent. */
  NameMemory archives() {
    return archives;
  }
}
