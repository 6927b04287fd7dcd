package dev.ferry.cli.tree;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileFacts.LeftOut;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.DaemonThreads;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A tree of a server, whose folders are listed in order: each one right after its entry was
 * returned, or not at all. So one request lists all of them, if the server does that; otherwise
 * each folder is a request, as {@link RemoteFolder} makes it.
 *
 * <p>A thread reads ahead of what is done with the entries. It ends the request when {@value #MOST}
 * of them wait, and makes another one when they were taken, so that no request waits and memory is
 * bounded. One thread at a time.
 */
public final class RemoteTree implements AutoCloseable {
  /** A server that lists a directory in itself would otherwise be followed without end. */
  private static final int DEEPEST = 1000;

  private static final int MOST = 50_000;

  private final RemoteFolder.Lister folders;
  private final TreeLister trees;
  private final StorePath root;
  private boolean inOneRequest = true;
  private @Nullable Ahead ahead;

  /** The folders through which the next entry may have been reached, the deepest first. */
  private final Deque<String> above = new ArrayDeque<>();

  private @Nullable Placed next;

  /** The folder whose entries are the next ones. */
  private @Nullable String entered;

  /** Lists a whole tree, again after a failure if the options of the command say so. */
  @FunctionalInterface
  public interface TreeLister {
    /**
     * Lists a tree, as {@link dev.ferry.core.Carrier#list} does.
     *
     * @param attempts returns what receives the entries of an attempt; called once for each
     */
    boolean list(StorePath root, Supplier<Predicate<FileFacts>> attempts) throws FerryException;
  }

  /** The entries of a folder, in the order of {@link StorePath#compare}. */
  @FunctionalInterface
  public interface Folder {
    /**
     * Returns the next entry; null if there are no more.
     *
     * @throws FerryException with {@link ErrorKind#INVALID_PATH} if it cannot be there: a hostile
     *     server could choose a name that leads elsewhere; with {@link ErrorKind#INTERNAL} if the
     *     server does not list in order
     */
    @Nullable FileFacts next() throws FerryException;
  }

  /**
   * @param folder the path of the folder that has the entry
   */
  private record Placed(String folder, FileFacts entry) {}

  public RemoteTree(RemoteFolder.Lister folders, TreeLister trees, StorePath root) {
    this.folders = folders;
    this.trees = trees;
    this.root = root;
  }

  /** Begins to list a folder. If it is the root of the tree, all is listed anew. */
  public Folder list(StorePath folder) throws FerryException {
    if (folder.equals(root) && inOneRequest) {
      begin();
    }
    if (inOneRequest && folder.value().equals(entered)) {
      entered = null;
      return () -> next(folder.value());
    }
    RemoteFolder alone = RemoteFolder.open(folders, folder);
    return () -> {
      FileFacts entry = alone.next();
      if (entry != null && entry.leftOut() != LeftOut.NAME) {
        String unused = alone.name(entry);
      }
      return entry;
    };
  }

  private void begin() throws FerryException {
    close();
    Ahead begun = new Ahead();
    ahead = begun;
    above.clear();
    above.push(root.value());
    entered = root.value();
    next = null;
    inOneRequest = begun.begin();
  }

  private @Nullable FileFacts next(String folder) throws FerryException {
    String inside = folder.isEmpty() ? "" : folder + "/";
    Placed found = peek();
    while (found != null && !found.folder.equals(folder) && found.folder.startsWith(inside)) {
      // Nobody wanted to know what is in that folder.
      next = null;
      found = peek();
    }
    if (found == null || !found.folder.equals(folder)) {
      return null;
    }
    next = null;
    FileFacts entry = found.entry;
    entered = entry.directory() && entry.leftOut() == null ? entry.name() : null;
    // What the server has not listed is asked for alone, and the answer says why.
    return entry.directory() && entry.leftOut() == LeftOut.UNREADABLE
        ? entry.withLeftOut(null)
        : entry;
  }

  private @Nullable Placed peek() throws FerryException {
    if (next == null && ahead != null) {
      FileFacts entry = ahead.next();
      next = entry == null ? null : new Placed(place(entry), entry);
    }
    return next;
  }

  /** Returns the folder of the next entry. */
  private String place(FileFacts entry) throws FerryException {
    boolean unnamed = entry.leftOut() == LeftOut.NAME;
    String name = entry.name();
    String folder = unnamed ? name : StorePath.parse(name).parent().value();
    while (!above.isEmpty() && !isIn(above.element(), folder, unnamed)) {
      above.remove();
    }
    if (above.isEmpty() && unnamed) {
      above.push(root.value());
    }
    if (above.isEmpty()) {
      throw new FerryException(
          ErrorKind.INVALID_PATH,
          root + "/: the server lists '" + name + "' there, which is somewhere else");
    }
    String found = above.element();
    if (entry.directory() && entry.leftOut() == null) {
      above.push(name);
    }
    return found;
  }

  private static boolean isIn(String folder, String wanted, boolean unnamed) {
    return unnamed ? folder.isEmpty() || wanted.startsWith(folder + "/") : folder.equals(wanted);
  }

  @Override
  public void close() {
    Ahead running = ahead;
    if (running != null) {
      running.close();
    }
  }

  /** Entries that were read and not taken. */
  private final class Ahead {
    private final Deque<FileFacts> entries = new ArrayDeque<>();
    private ListPosition position = new ListPosition();
    private @Nullable Exception failure;
    private boolean known = true;
    private boolean begun;
    private boolean running;
    private boolean more;
    private boolean closed;
    private @Nullable Thread reader;

    /** Returns whether the server lists trees, after it has said so. */
    synchronized boolean begin() throws FerryException {
      read();
      await();
      return known;
    }

    private void read() {
      running = true;
      more = false;
      reader = DaemonThreads.start("ferry-list", this::run);
    }

    private void run() {
      Exception failed = null;
      boolean listed = true;
      try {
        listed = trees.list(root, this::attempt);
      } catch (FerryException | RuntimeException e) {
        failed = e;
      }
      synchronized (this) {
        boolean changed = failed == null && !listed && begun;
        failure =
            changed
                ? new FerryException(
                    ErrorKind.UNAVAILABLE,
                    root + "/: another server has answered, which lists no trees; try again")
                : failed;
        known = listed;
        running = false;
        notifyAll();
      }
    }

    private synchronized Predicate<FileFacts> attempt() {
      position = position.again();
      return this::add;
    }

    private synchronized boolean add(FileFacts entry) {
      if (position.moveTo(entry)) {
        begun = true;
        entries.add(entry);
        notifyAll();
      }
      more = entries.size() >= MOST;
      return position.isOrdered() && !more && !closed;
    }

    /** Waits until there is an entry, or the reader has ended. */
    private void await() throws FerryException {
      try {
        while (entries.isEmpty() && running) {
          wait();
        }
      } catch (InterruptedException e) {
        throw FerryException.interrupted(root + "/: cancelled", e);
      }
      if (!entries.isEmpty()) {
        return;
      }
      if (failure instanceof FerryException ferry) {
        throw ferry;
      }
      if (failure instanceof RuntimeException other) {
        throw other;
      }
      if (!position.isOrdered()) {
        throw new FerryException(
            ErrorKind.INTERNAL,
            root + "/: the server lists '" + position.last() + "' in the wrong place");
      }
    }

    synchronized @Nullable FileFacts next() throws FerryException {
      await();
      if (entries.isEmpty() && more) {
        read();
        await();
      }
      return entries.poll();
    }

    synchronized void close() {
      closed = true;
      if (running && reader != null) {
        reader.interrupt();
      }
    }
  }

  /**
   * @throws FerryException if a directory is deeper than any would be
   */
  public static void requireDepth(StorePath directory, int depth) throws FerryException {
    if (depth > DEEPEST) {
      throw new FerryException(
          ErrorKind.INTERNAL,
          directory + ": over " + DEEPEST + " folders deep; does the server list one in itself?");
    }
  }
}
