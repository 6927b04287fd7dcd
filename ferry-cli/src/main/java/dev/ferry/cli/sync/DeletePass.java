package dev.ferry.cli.sync;

import dev.ferry.cli.client.TreeTransfers;
import dev.ferry.cli.tree.NameFilter;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the files, links and empty folders of the target that the source lacks. It must follow a
 * {@link CopyPass} that has read the whole source. Both sides are read again, so that no list of
 * names waits in memory.
 *
 * @param filter chooses the names that may be deleted
 * @param incomplete the paths of folders of which the source may have more than it can name. It may
 *     have what the target has there, so nothing of them is deleted
 * @param backup receives what is deleted, except folders; null if it is not kept
 */
record DeletePass(
    Side source,
    Side target,
    NameFilter filter,
    Set<String> incomplete,
    @Nullable Backup backup,
    TreeTransfers transfers,
    SyncReport report) {
  /** What is done with names that are to be deleted. */
  private interface Deletions {
    /** Receives a file or a link. */
    void file(String path) throws FerryException;

    /** Receives what cannot be deleted. */
    default void stays(String path, Entry entry) throws FerryException {}

    /** Receives a folder of which nothing is deleted. */
    default void incomplete(String path) throws FerryException {}

    /**
     * Receives a folder: before it is listed, and again after all that is in it.
     *
     * @param emptied whether all that is in it was received, and will be gone after the tasks
     * @return whether it is gone, will be, or is not to be listed
     */
    boolean folder(String path, boolean emptied) throws FerryException;
  }

  /** Counts the files, and does nothing. */
  private static final class Count implements Deletions {
    private long files;

    @Override
    public void file(String path) {
      files++;
    }

    @Override
    public boolean folder(String path, boolean emptied) {
      return emptied;
    }
  }

  /**
   * Returns how many files and links {@link #run} will delete. Files behind a link of a server to a
   * folder are counted, though only the link is deleted.
   */
  long count() throws FerryException {
    Count count = new Count();
    walk(count);
    return count.files;
  }

  /**
   * Deletes, or in a dry run prints what would be deleted.
   *
   * @param most as many files as were counted. If there are more, one of the sides has changed
   *     meanwhile, and the pass fails before it deletes them.
   */
  void run(long most) throws FerryException {
    walk(
        new Deletions() {
          private long left = most;

          @Override
          public void file(String path) throws FerryException {
            if (left-- == 0) {
              throw new FerryException(
                  ErrorKind.FILE_CHANGED,
                  target.name("")
                      + ": more files than the "
                      + most
                      + " that were counted would be deleted, since the source or the target has"
                      + " changed; sync again");
            }
            transfers.beginChange(() -> deleteFile(path));
          }

          @Override
          public void stays(String path, Entry entry) throws FerryException {
            boolean named = entry.kind() != Entry.Kind.UNNAMED;
            report.missing().leftOut(named ? target.name(path) : entry.name(), entry.reason());
          }

          @Override
          public void incomplete(String path) throws FerryException {
            report.incomplete(target.name(path));
          }

          @Override
          public boolean folder(String path, boolean emptied) throws FerryException {
            if (emptied) {
              transfers.await();
            }
            AtomicBoolean gone = new AtomicBoolean(emptied);
            if (!report.dryRun()
                && !report.missing().succeeds(() -> gone.set(target.deleteFolder(path)))) {
              // It may be a link, and what it leads to is not looked at.
              return !emptied;
            }
            if (gone.get()) {
              report.deleted(target.name(path), true);
            }
            return gone.get();
          }
        });
  }

  private void deleteFile(String path) throws FerryException {
    boolean gone = true;
    if (!report.dryRun() && backup != null) {
      // If a file cannot be kept, neither can others.
      boolean unused = backup.keep(path);
    } else if (!report.dryRun()) {
      gone = report.missing().succeeds(() -> target.deleteFile(path));
    }
    if (gone) {
      report.deleted(target.name(path), false);
    }
  }

  private void walk(Deletions deletions) throws FerryException {
    Entries there = target.find("");
    if (there != null) {
      folder("", there, deletions);
    }
  }

  private void folder(String path, Entries there, Deletions deletions) throws FerryException {
    boolean whole = !incomplete.contains(path);
    if (!whole) {
      deletions.incomplete(path);
    }
    Entries.pair(
        source.list(path),
        there,
        (from, to) -> {
          if (to == null) {
            return;
          }
          String below = Side.child(path, to.name());
          if (from == null && whole) {
            boolean unused = delete(below, to, deletions);
          } else if (from != null && from.isFolder() && to.isFolder() && filter.enters(below)) {
            folder(below, target.list(below), deletions);
          }
        });
  }

  /** Returns whether the name is gone, or will be after the tasks. */
  private boolean delete(String path, Entry entry, Deletions deletions) throws FerryException {
    boolean chosen =
        switch (entry.kind()) {
          case FOLDER -> filter.enters(path);
          case FILE -> filter.takes(path);
          // It may be meant as a folder.
          case LINK -> filter.asksFor(path);
          case OTHER, UNNAMED -> false;
        };
    if (!chosen) {
      if (entry.kind() == Entry.Kind.UNNAMED
          || (entry.kind() == Entry.Kind.OTHER && filter.asksFor(path))) {
        deletions.stays(path, entry);
      }
      return false;
    }
    if (entry.isFolder()) {
      return deleteFolder(path, deletions);
    }
    deletions.file(path);
    return true;
  }

  private boolean deleteFolder(String path, Deletions deletions) throws FerryException {
    boolean empty = !filter.holdsReserved(path);
    // A server lists a link to a folder as one. It must go before what it leads to is listed.
    if (empty && deletions.folder(path, false)) {
      return true;
    }
    Entries entries = target.list(path);
    for (Entry entry = entries.next(); entry != null; entry = entries.next()) {
      empty &= delete(Side.child(path, entry.name()), entry, deletions);
    }
    return empty && deletions.folder(path, true);
  }
}
