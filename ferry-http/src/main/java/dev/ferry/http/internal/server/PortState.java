package dev.ferry.http.internal.server;

import dev.ferry.core.internal.NameMemory;
import dev.ferry.wire.internal.CallerStores;
import dev.ferry.wire.internal.DiskWorkers;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * What the connections of a port share: its callers, the locks of WebDAV, threads for changes of
 * whole trees, which would keep the workers from others for long, and the memory of archives.
 * Thread-safe.
 */
public final class PortState {
  private static final int THREADS = 8;

  private final CallerStores stores;
  private final int bufferSize;
  private final WebDavLocks locks = new WebDavLocks(System::nanoTime);
  private final Function<String, Executor> copies;
  private final Function<String, Executor> deletions;
  private final Runnable stop;
  private final NameMemory archives = NameMemory.ofTheHeap();

  /**
   * @param bufferSize bytes of one copy of a compressed download, at least 1
   */
  public PortState(CallerStores stores, int bufferSize) {
    this.stores = stores;
    this.bufferSize = bufferSize;
    DiskWorkers copying = DiskWorkers.start("ferry-copies", THREADS);
    DiskWorkers deleting = DiskWorkers.start("ferry-deletions", THREADS);
    copies = copying::of;
    deletions = deleting::of;
    stop =
        () -> {
          copying.stop();
          deleting.stop();
        };
  }

  /** Has an executor change trees. */
  PortState(CallerStores stores, int bufferSize, Executor trees) {
    this.stores = stores;
    this.bufferSize = bufferSize;
    copies = holder -> trees;
    deletions = copies;
    stop = () -> {};
  }

  /** Waits a few seconds for changes that run, which end with their connections. */
  public void stop() {
    stop.run();
  }

  CallerStores stores() {
    return stores;
  }

  int bufferSize() {
    return bufferSize;
  }

  WebDavLocks locks() {
    return locks;
  }

  /**
   * The threads of copies, which may take long, or of all else; so neither waits for the other.
   *
   * @param holder in whose turn
   */
  Executor trees(boolean copies, String holder) {
    return (copies ? this.copies : deletions).apply(holder);
  }

  /** The memory of the names in all archives that are being sent. */
  NameMemory archives() {
    return archives;
  }
}
