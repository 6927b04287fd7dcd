package dev.ferry.core;

import dev.ferry.core.internal.ForwardingStore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** A store that lists as many entries as requested, and counts the requests. */
final class CountedStore extends ForwardingStore {
  private final long entries;
  private final @Nullable FerryException failure;
  private final LongFunction<FileFacts> entry;
  private final AtomicLong given = new AtomicLong();
  private final AtomicInteger open = new AtomicInteger();

  /**
   * @param store handles everything else
   * @param entries how many there are in each directory
   * @param failure what its lists end with; null for an orderly end
   * @param entry makes the one of a number, from 0
   */
  CountedStore(
      FileStore store,
      long entries,
      @Nullable FerryException failure,
      LongFunction<FileFacts> entry) {
    super(store);
    this.entries = entries;
    this.failure = failure;
    this.entry = entry;
  }

  /** Entries that were requested. */
  long given() {
    return given.get();
  }

  /** Listings that were opened and not closed. */
  int open() {
    return open.get();
  }

  @Override
  public Listing list(StorePath directory) {
    open.incrementAndGet();
    return new Listing() {
      private long next;
      private volatile boolean closed;

      @Override
      public @Nullable FileFacts next() throws FerryException {
        if (closed) {
          throw new FerryException(ErrorKind.CANCELLED, "closed");
        }
        if (next == entries) {
          if (failure != null) {
            throw failure;
          }
          return null;
        }
        given.incrementAndGet();
        return entry.apply(next++);
      }

      @Override
      public synchronized void close() {
        if (!closed) {
          closed = true;
          open.decrementAndGet();
        }
      }
    };
  }
}
