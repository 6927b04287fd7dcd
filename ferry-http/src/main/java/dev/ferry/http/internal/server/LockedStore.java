package dev.ferry.http.internal.server;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileStore;
import dev.ferry.core.Listing;
import dev.ferry.core.StagedTree;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.ForwardingSink;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.internal.ForwardingTree;
import dev.ferry.http.internal.server.WebDavLocks.Lock;
import dev.ferry.wire.internal.RunningRequest;
import dev.ferry.wire.internal.contract.HttpRoutes;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A store for one request, which changes what is locked only if the request has the token, and
 * changes nothing if the conditions of its field {@code If} are false. Whatever kind of request
 * makes the change, it is asked here.
 *
 * <p>A lock of what the caller may not see does not count. The rules refuse the change then.
 */
final class LockedStore extends ForwardingStore {
  private final WebDavLocks locks;
  private final IfHeader condition;
  private final String caller;

  /** Whether the conditions were true, which the changes of the request itself may make false. */
  private boolean met;

  /** Creates the store for a request. There need not be a lock yet: one may come meanwhile. */
  private LockedStore(FileStore store, WebDavLocks locks, IfHeader condition, String caller) {
    super(store);
    this.locks = locks;
    this.condition = condition;
    this.caller = caller;
  }

  /**
   * Returns the store of a request: one that only reads needs no lock, but its conditions hold.
   *
   * @param reads whether it only reads files
   */
  static FileStore of(Exchange exchange, WebDavLocks locks, FileStore store, boolean reads)
      throws FerryException {
    FileRequest request = exchange.request();
    String caller = caller(exchange.running());
    if (!request.headers().contains(IfHeader.IF)) {
      return reads ? store : new LockedStore(store, locks, IfHeader.NONE, caller);
    }
    boolean named = request.rawPath().startsWith(HttpRoutes.FILES);
    StorePath path = named ? request.fileOrDirectory() : StorePath.ROOT;
    IfHeader condition = IfHeader.parse(request.headers(), path, exchange.rules());
    return new LockedStore(store, locks, condition, caller);
  }

  /** Returns the name of a caller; empty if it has none. */
  static String caller(RunningRequest request) {
    String name = request.caller();
    return name == null ? "" : name;
  }

  /** Returns the store that knows no locks. */
  static FileStore unlocked(FileStore store) {
    return store instanceof LockedStore locked ? locked.store() : store;
  }

  /** Fails if a store knows locks, and those of a path exclude that it is changed. */
  static void requireChangeable(FileStore store, StorePath path) throws FerryException {
    if (store instanceof LockedStore locked) {
      locked.require(path);
    }
  }

  /**
   * @throws FerryException with {@link ErrorKind#LOCKED} or {@link ErrorKind#VERSION_MISMATCH}
   */
  private void require(StorePath path) throws FerryException {
    if (!met) {
      condition.require(store(), locks);
      met = true;
    }
    requireOneOf(locks.covering(path));
  }

  /** A directory is changed by what is made or deleted in it. */
  private void requireEntry(StorePath path) throws FerryException {
    require(path);
    requireOneOf(locks.at(path.parent()));
  }

  private void requireDeletion(StorePath path) throws FerryException {
    requireEntry(path);
    for (List<Lock> below :
        locks.below(path).stream().collect(Collectors.groupingBy(Lock::path)).values()) {
      requireOneOf(below);
    }
  }

  private void requireOneOf(List<Lock> which) throws FerryException {
    for (Lock lock : which) {
      if (condition.has(lock.token()) && lock.caller().equals(caller)) {
        return;
      }
    }
    for (Lock lock : which) {
      if (store().exists(lock.path())) {
        throw WebDavLocks.locked(lock);
      }
    }
  }

  @Override
  public FileFacts stat(StorePath path, Digest.Algorithm algorithm) throws FerryException {
    return store().stat(path, algorithm);
  }

  @Override
  public FileFacts readNow(StorePath path, Digest.Algorithm algorithm) throws FerryException {
    return store().readNow(path, algorithm);
  }

  @Override
  public boolean exists(StorePath path) throws FerryException {
    return store().exists(path);
  }

  @Override
  public FileSink create(StorePath path, CreateOptions options) throws FerryException {
    requireFile(path);
    return new ForwardingSink(store().create(path, options)) {
      /** A lock that came while the file arrived keeps it out as well. */
      @Override
      public FileFacts commit(long size, @Nullable Digest digest) throws FerryException {
        requireFile(path);
        return super.commit(size, digest);
      }
    };
  }

  private void requireFile(StorePath path) throws FerryException {
    if (locks.isEmpty() || locks.at(path.parent()).isEmpty() || store().exists(path)) {
      require(path);
    } else {
      requireEntry(path);
    }
  }

  @Override
  public Listing listTree(StorePath directory) throws FerryException {
    return store().listTree(directory);
  }

  @Override
  public void delete(StorePath path, @Nullable String version) throws FerryException {
    requireDeletion(path);
    store().delete(path, version);
    locks.forget(path);
  }

  @Override
  public void move(StorePath source, StorePath target, boolean replace) throws FerryException {
    requireDeletion(source);
    requireEntry(target);
    store().move(source, target, replace);
    locks.forget(source);
  }

  /** Asked when it begins, and again when it is complete: a lock may have come meanwhile. */
  @Override
  public StagedTree stage(StorePath path, boolean replace) throws FerryException {
    requirePlace(path, replace);
    return new ForwardingTree(store().stage(path, replace)) {
      @Override
      public void publish() throws FerryException {
        requirePlace(path, replace);
        super.publish();
        forget(path, replace);
      }

      @Override
      public void publish(StorePath source) throws FerryException {
        requireDeletion(source);
        requirePlace(path, replace);
        super.publish(source);
        locks.forget(source);
        forget(path, replace);
      }
    };
  }

  private void requirePlace(StorePath path, boolean replace) throws FerryException {
    if (replace) {
      requireDeletion(path);
    } else {
      requireEntry(path);
    }
  }

  private void forget(StorePath path, boolean replaced) {
    if (replaced) {
      locks.forget(path);
    }
  }

  @Override
  public void makeDirectory(StorePath path, boolean parents, @Nullable Integer mode)
      throws FerryException {
    requireEntry(path);
    store().makeDirectory(path, parents, mode);
  }

  @Override
  public void setLastModified(StorePath path, Instant time) throws FerryException {
    require(path);
    store().setLastModified(path, time);
  }

  @Override
  public void makeLink(StorePath path, String target, boolean replace) throws FerryException {
    requireEntry(path);
    store().makeLink(path, target, replace);
  }
}
