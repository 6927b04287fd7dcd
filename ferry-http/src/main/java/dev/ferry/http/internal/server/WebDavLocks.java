package dev.ferry.http.internal.server;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.CallerShares;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The write locks of a port (RFC 4918, 6). They are in memory, at most {@value #MAX_LOCKS}, divided
 * as {@link CallerShares}. Each ends after {@value #MAX_SECONDS} seconds at the latest unless it is
 * refreshed. They bind the requests of this port alone. Thread-safe.
 */
public final class WebDavLocks {
  static final int MAX_LOCKS = 4096;
  static final int MAX_SECONDS = 3600;

  private final LongSupplier nanoTime;

  /** By the text of their paths, so that those below a directory are next to each other. */
  private final TreeMap<String, List<Lock>> byPath = new TreeMap<>();

  private final CallerShares shares = new CallerShares(MAX_LOCKS);

  private volatile int count;

  /**
   * A lock.
   *
   * @param deep whether it is for all below a directory, too
   * @param owner what the client says of its owner, as XML
   * @param caller the name of the caller that has it; empty if the server knows none
   * @param holder of whose share it is
   * @param seconds how long it lasts
   * @param end the time of its end, in nanoseconds of a clock of this port
   */
  record Lock(
      String token,
      StorePath path,
      boolean exclusive,
      boolean deep,
      String owner,
      String caller,
      String holder,
      int seconds,
      long end) {
    /** Returns the same lock with another end. */
    Lock until(int seconds, long end) {
      return new Lock(token, path, exclusive, deep, owner, caller, holder, seconds, end);
    }
  }

  /**
   * @param nanoTime a clock such as {@link System#nanoTime}
   */
  public WebDavLocks(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Returns whether there is no lock, without waiting. */
  boolean isEmpty() {
    return count == 0;
  }

  /**
   * Adds a lock.
   *
   * @throws FerryException with {@link ErrorKind#LOCKED} if another one excludes it, or with {@link
   *     ErrorKind#OVERLOADED} if there are too many
   */
  synchronized Lock add(
      StorePath path,
      boolean exclusive,
      boolean deep,
      String owner,
      String caller,
      String holder,
      int seconds)
      throws FerryException {
    List<Lock> others = new ArrayList<>(covering(path));
    if (deep) {
      others.addAll(below(path));
    }
    for (Lock other : others) {
      if (exclusive || other.exclusive()) {
        if (path.isWithin(other.path())) {
          throw locked(other);
        }
        // Its name may be one that the caller is not told.
        throw new FerryException(
            ErrorKind.LOCKED, path + ": another client has locked something in it");
      }
    }
    boolean taken = shares.take(holder, 1);
    if (!taken) {
      boolean unused = removeIf(new ArrayList<>(byPath.keySet()), lock -> false);
      taken = shares.take(holder, 1);
    }
    if (!taken) {
      throw new FerryException(
          ErrorKind.OVERLOADED,
          path + ": there are too many locks; unlock some, or try again later");
    }
    String token = "urn:uuid:" + UUID.randomUUID();
    Lock lock =
        new Lock(token, path, exclusive, deep, owner, caller, holder, seconds, end(seconds));
    put(lock);
    return lock;
  }

  /** Returns the failure of a change of what is locked. */
  static FerryException locked(Lock lock) {
    String name = lock.path().equals(StorePath.ROOT) ? "/" : lock.path().value();
    return new FerryException(
        ErrorKind.LOCKED, name + ": is locked by another client; wait until it is unlocked");
  }

  private long end(int seconds) {
    return nanoTime.getAsLong() + Duration.ofSeconds(seconds).toNanos();
  }

  private void put(Lock lock) {
    byPath.computeIfAbsent(lock.path().value(), path -> new ArrayList<>()).add(lock);
    count++;
  }

  /** Returns the locks of a path: its own, and deep ones of directories above it. */
  List<Lock> covering(StorePath path) {
    // Without waiting: every change asks, and most servers have no locks.
    return count == 0 ? List.of() : coveringAll(path);
  }

  private synchronized List<Lock> coveringAll(StorePath path) {
    List<Lock> locks = new ArrayList<>(at(path));
    for (StorePath above = path; !above.equals(StorePath.ROOT); ) {
      above = above.parent();
      at(above).stream().filter(Lock::deep).forEach(locks::add);
    }
    return locks;
  }

  /** Returns the locks of exactly this path. */
  synchronized List<Lock> at(StorePath path) {
    removeIf(List.of(path.value()), lock -> false);
    return List.copyOf(byPath.getOrDefault(path.value(), List.of()));
  }

  /** Returns the locks of what is below a directory. */
  synchronized List<Lock> below(StorePath directory) {
    List<String> paths = pathsBelow(directory);
    removeIf(paths, lock -> false);
    return paths.stream().flatMap(path -> byPath.getOrDefault(path, List.of()).stream()).toList();
  }

  private List<String> pathsBelow(StorePath directory) {
    return new ArrayList<>(
        directory.equals(StorePath.ROOT)
            ? byPath.tailMap("", false).keySet()
            : byPath.subMap(directory + "/", directory + "0").keySet());
  }

  /** Removes locks of these paths, and those that have ended. Returns whether any was removed. */
  private boolean removeIf(List<String> paths, Predicate<Lock> which) {
    int before = count;
    long now = nanoTime.getAsLong();
    for (String path : paths) {
      List<Lock> locks = byPath.getOrDefault(path, List.of());
      int size = locks.size();
      if (size > 0 && locks.removeIf(lock -> ends(lock, now, which))) {
        count -= size - locks.size();
        byPath.remove(path, List.of());
      }
    }
    return count < before;
  }

  private boolean ends(Lock lock, long now, Predicate<Lock> which) {
    boolean ends = lock.end() - now <= 0 || which.test(lock);
    if (ends) {
      shares.giveBack(lock.holder(), 1);
    }
    return ends;
  }

  /**
   * Makes a lock last longer.
   *
   * @return null if none of the tokens is that of a lock of the path and the caller
   */
  synchronized @Nullable Lock refresh(
      StorePath path, Predicate<String> tokens, String caller, int seconds) {
    for (Lock old : covering(path)) {
      if (tokens.test(old.token()) && old.caller().equals(caller)) {
        Lock lock = old.until(seconds, end(seconds));
        byPath
            .getOrDefault(old.path().value(), List.of())
            .replaceAll(each -> each.equals(old) ? lock : each);
        return lock;
      }
    }
    return null;
  }

  /** Ends a lock. */
  synchronized void remove(Lock lock) {
    boolean unused =
        removeIf(List.of(lock.path().value()), other -> other.token().equals(lock.token()));
  }

  /** Ends the locks of what was deleted or moved, and of all below it. */
  synchronized void forget(StorePath path) {
    List<String> paths = pathsBelow(path);
    paths.add(path.value());
    boolean unused = removeIf(paths, lock -> true);
  }
}
