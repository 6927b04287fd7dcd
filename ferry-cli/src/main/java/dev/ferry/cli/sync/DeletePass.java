package dev.ferry.cli.sync;

import dev.ferry.cli.tree.NameFilter;
import dev.ferry.cli.tree.ParallelTasks;
import dev.ferry.core.FerryException;

/**
 * Deletes the files, links and empty folders of the target that the source lacks. It must follow a
 * {@link CopyPass} that has read the whole source. Both sides are read again, so that no list of
 * names waits in memory.
 *
 * @param filter chooses the names that may be deleted
 */
record DeletePass(
    Side source, Side target, NameFilter filter, ParallelTasks tasks, SyncReport report) {
  void run() throws FerryException {
    Entries there = target.find("");
    if (there != null) {
      folder("", there);
    }
  }

  private void folder(String path, Entries there) throws FerryException {
    Entries.pair(
        source.list(path),
        there,
        (from, to) -> {
          if (to == null) {
            return;
          }
          String below = Side.child(path, to.name());
          if (from == null) {
            boolean unused = delete(below, to);
          } else if (from.isFolder() && to.isFolder() && filter.enters(below)) {
            folder(below, target.list(below));
          }
        });
  }

  /** Returns whether the name is gone, or will be after the tasks. */
  private boolean delete(String path, Entry entry) throws FerryException {
    return switch (entry.kind()) {
      case FOLDER -> filter.enters(path) && deleteFolder(path);
      case FILE, LINK -> filter.takes(path) && deleteFile(path);
      case OTHER, UNNAMED -> false;
    };
  }

  private boolean deleteFile(String path) throws FerryException {
    tasks.begin(
        () -> {
          if (!report.dryRun()) {
            target.deleteFile(path);
          }
          report.deleted(target.name(path), false);
        });
    return true;
  }

  private boolean deleteFolder(String path) throws FerryException {
    // A server lists a link to a folder as one. It must go before what it leads to is listed.
    if (isGone(path)) {
      return true;
    }
    boolean empty = true;
    Entries entries = target.list(path);
    for (Entry entry = entries.next(); entry != null; entry = entries.next()) {
      empty &= delete(Side.child(path, entry.name()), entry);
    }
    if (!empty) {
      return false;
    }
    tasks.await();
    if (report.dryRun()) {
      report.deleted(target.name(path), true);
      return true;
    }
    return isGone(path);
  }

  private boolean isGone(String path) throws FerryException {
    boolean gone = !report.dryRun() && target.deleteFolder(path);
    if (gone) {
      report.deleted(target.name(path), true);
    }
    return gone;
  }
}
