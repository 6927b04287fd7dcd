package dev.ferry.core;

import dev.ferry.core.FileFacts.LeftOut;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a directory and of all that is below it. What is in a directory follows the entry
 * of the directory.
 *
 * <p>A link to a directory is followed only if that is outside of the tree, and no such link has
 * been followed on the way: {@link LeftOut#TREE}. So a tree with links has an end, and what is in
 * it is there once. Where links share directories, as in the folders of some package managers,
 * copies would otherwise double with each level.
 *
 * <p>A directory that cannot be listed, or that is too deep, has {@link LeftOut#UNREADABLE} and
 * nothing follows: who wants to know more lists it alone. So one listing fits the memory, and the
 * failure of one directory does not end it.
 */
public final class TreeListing implements Listing {
  /**
   * A deeper tree, which nobody can make here, is listed in several requests. Each level holds the
   * names of a directory.
   */
  static final int DEEPEST = StorePath.MAX_DEPTH;

  private final FileStore store;
  private final StorePath root;
  private final Deque<Listing> open = new ArrayDeque<>();
  private boolean closed;

  /** Where the tree really is; null before there was a link. One thread uses it. */
  private @Nullable StorePath realRoot;

  /** How many directories are open with the one behind a link; 0 if there is none. */
  private int linked;

  private TreeListing(FileStore store, StorePath root) {
    this.store = store;
    this.root = root;
  }

  /**
   * Opens a listing.
   *
   * @param store lists each directory
   */
  public static TreeListing open(FileStore store, StorePath root) throws FerryException {
    TreeListing listing = new TreeListing(store, root);
    listing.enter(root);
    return listing;
  }

  @Override
  public @Nullable FileFacts next() throws FerryException {
    for (Listing folder = folder(); folder != null; folder = folder()) {
      FileFacts entry = folder.next();
      if (entry != null) {
        return entry.directory() && entry.leftOut() == null ? entered(entry) : entry;
      }
      leave(folder);
    }
    return null;
  }

  private FileFacts entered(FileFacts directory) throws FerryException {
    if (depth() == DEEPEST) {
      return directory.withLeftOut(LeftOut.UNREADABLE);
    }
    StorePath path = new StorePath(directory.name());
    boolean link = directory.link() != null;
    try {
      if (link && (linked > 0 || isInTree(path))) {
        return FileFacts.leftOut(directory.name(), LeftOut.TREE).withLink(directory.link());
      }
      enter(path);
      linked = link ? depth() : linked;
      return directory;
    } catch (FerryException e) {
      requireOpen();
      return directory.withLeftOut(LeftOut.UNREADABLE);
    }
  }

  private boolean isInTree(StorePath link) throws FerryException {
    StorePath known = realRoot == null ? store.real(root) : realRoot;
    realRoot = known;
    return store.real(link).isWithin(known);
  }

  private void enter(StorePath directory) throws FerryException {
    Listing entries = store.list(directory);
    synchronized (this) {
      if (!closed) {
        open.push(entries);
        return;
      }
    }
    entries.close();
    requireOpen();
  }

  private synchronized void leave(Listing folder) {
    linked = open.size() == linked ? 0 : linked;
    boolean unused = open.remove(folder);
    folder.close();
  }

  private synchronized int depth() {
    return open.size();
  }

  private synchronized @Nullable Listing folder() throws FerryException {
    requireOpen();
    return open.peek();
  }

  private synchronized void requireOpen() throws FerryException {
    if (closed) {
      throw new FerryException(ErrorKind.CANCELLED, root + "/: the listing was closed");
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    open.forEach(Listing::close);
    open.clear();
  }
}
