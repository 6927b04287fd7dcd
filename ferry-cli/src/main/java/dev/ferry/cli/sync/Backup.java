package dev.ferry.cli.sync;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the files of the target that are deleted or replaced, under their paths in another folder
 * of the same end. Thread-safe.
 *
 * @param below the path of that folder below the target; null if it is elsewhere
 */
record Backup(Side target, Side folder, @Nullable String below, SyncReport report) {
  /**
   * Moves a file or a link away from the target. Replaces what was kept under its path before, and
   * says so.
   *
   * @return whether there was one
   * @throws FerryException if it cannot be kept. It is in the target then.
   */
  boolean keep(String path) throws FerryException {
    try {
      try {
        target.move(path, folder, false);
      } catch (FerryException e) {
        if (e.kind() != ErrorKind.ALREADY_EXISTS) {
          throw e;
        }
        target.move(path, folder, true);
        report.replacedBackup(folder.name(path));
      }
      return true;
    } catch (FerryException e) {
      if (e.kind() == ErrorKind.NOT_FOUND) {
        return false;
      }
      throw e;
    }
  }

  /** Moves a file back that was not replaced. Says where it is if that fails. */
  void restore(String path) throws FerryException {
    try {
      folder.move(path, target, false);
    } catch (FerryException e) {
      report.notRestored(target.name(path), folder.name(path));
    }
  }
}
