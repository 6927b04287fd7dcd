package dev.ferry.core.local;

import dev.ferry.core.internal.Action;
import java.nio.file.Path;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;

/**
 * The locks of the names of a store, in stripes: a slow file operation blocks only the names of its
 * stripe. Thread-safe.
 *
 * <p>The write lock of a name is held while a file gets or loses it and the cache of digests is
 * changed; the read lock is held while both are looked up. A file system may reuse the inode number
 * of a deleted file within one tick of its clock. Without the lock, a lookup could then return the
 * digest of the other file. The locks do not cover changes by other processes.
 */
final class NameLocks {
  private static final int LOCKS = 256;

  private final ReadWriteLock[] locks =
      Stream.generate(ReentrantReadWriteLock::new).limit(LOCKS).toArray(ReadWriteLock[]::new);

  Lock reading(Path file) {
    return locks[stripe(file)].readLock();
  }

  Lock writing(Path file) {
    return locks[stripe(file)].writeLock();
  }

  /** Runs a change while it holds the write locks of two names. */
  <E extends Exception> void change(Path one, Path other, Action<E> change) throws E {
    // Always in the same order, so that two changes do not wait for each other.
    Lock first = locks[Math.min(stripe(one), stripe(other))].writeLock();
    Lock second = locks[Math.max(stripe(one), stripe(other))].writeLock();
    first.lock();
    second.lock();
    try {
      change.run();
    } finally {
      second.unlock();
      first.unlock();
    }
  }

  private static int stripe(Path file) {
    return Math.floorMod(file.hashCode(), LOCKS);
  }
}
