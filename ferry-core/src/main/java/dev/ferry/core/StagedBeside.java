package dev.ferry.core;

import dev.ferry.core.internal.ForwardingStore;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A tree of a store that hides none: it is made under another name in the same directory, and
 * moved. If nothing is to be replaced, it is made in its place, since a move may copy all of it
 * again.
 */
final class StagedBeside implements StagedTree {
  private final FileStore store;
  private final StorePath path;
  private final @Nullable StorePath part;

  /** What was replaced; null if nothing was. */
  private @Nullable StorePath aside;

  StagedBeside(FileStore store, StorePath path, boolean replace) {
    this.store = store;
    this.path = path;
    this.part = replace ? beside(path, ".part-") : null;
  }

  private static StorePath beside(StorePath path, String prefix) {
    return path.parent().child(prefix + UUID.randomUUID().toString().substring(0, 8));
  }

  @Override
  public FileStore store() {
    StorePath made = part;
    return made == null ? store : new Part(made);
  }

  /** Makes what is to be at the path at another one. */
  private final class Part extends ForwardingStore {
    private final StorePath made;

    Part(StorePath made) {
      super(store);
      this.made = made;
    }

    private StorePath part(StorePath at) {
      return at.isWithin(path)
          ? new StorePath(made.value() + at.value().substring(path.value().length()))
          : at;
    }

    @Override
    public FileSink create(StorePath at, CreateOptions options) throws FerryException {
      return super.create(part(at), options);
    }

    @Override
    public void makeDirectory(StorePath at, boolean parents, @Nullable Integer mode)
        throws FerryException {
      super.makeDirectory(part(at), parents, mode);
    }
  }

  @Override
  public void publish() throws FerryException {
    if (part != null) {
      publish(part);
    }
  }

  @Override
  public void publish(StorePath source) throws FerryException {
    if (part == null) {
      store.move(source, path, false);
      return;
    }
    StorePath replaced = beside(path, ".replaced-");
    store.move(path, replaced, false);
    try {
      store.move(source, path, false);
    } catch (FerryException e) {
      restore(replaced, e);
      throw e;
    }
    aside = replaced;
  }

  private void restore(StorePath replaced, FerryException why) throws FerryException {
    try {
      store.move(replaced, path, false);
    } catch (FerryException e) {
      e.addSuppressed(why);
      throw new FerryException(
          e.kind(), path + ": is now " + replaced + ", and cannot be moved back; do so", e);
    }
  }

  @Override
  public void close() throws FerryException {
    StorePath rest = aside == null ? part : aside;
    try {
      if (rest != null && store.exists(rest)) {
        delete(rest);
      }
    } catch (FerryException e) {
      throw new FerryException(e.kind(), rest + ": cannot be deleted; delete it", e);
    }
  }

  private void delete(StorePath tree) throws FerryException {
    Deque<StorePath> folders = new ArrayDeque<>();
    StorePath link = null;
    if (store.stat(tree, false).directory()) {
      folders.push(tree);
      try (Listing entries = store.listTree(tree)) {
        for (FileFacts entry = entries.next(); entry != null; entry = entries.next()) {
          StorePath at = new StorePath(entry.name());
          while (!at.isWithin(folders.element())) {
            store.delete(folders.pop(), null);
          }
          if (link != null && at.isWithin(link)) {
            continue;
          }
          if (entry.directory() && entry.link() == null && entry.leftOut() == null) {
            folders.push(at);
          } else {
            store.delete(at, null);
            link = entry.link() == null ? null : at;
          }
        }
      }
    } else {
      folders.push(tree);
    }
    for (StorePath folder : folders) {
      store.delete(folder, null);
    }
  }
}
