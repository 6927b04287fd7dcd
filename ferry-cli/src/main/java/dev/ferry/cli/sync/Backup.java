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
      if (e.kind() == ErrorKind.CANCELLED) {
        // Perhaps it was moved, and only the response is missing.
        restore(path);
      }
      throw e;
    }
  }

  /**
   * Moves a file back that was not replaced, also after an interrupt. If that fails and the target
   * lacks the file, says where it is.
   */
  void restore(String path) throws FerryException {
    boolean interrupted = Thread.interrupted();
    try {
      folder.move(path, target, false);
    } catch (FerryException e) {
      if (e.kind() == ErrorKind.CANCELLED && Thread.currentThread().isInterrupted()) {
        // The interrupt has come only now.
        restore(path);
      } else if (e.kind() != ErrorKind.NOT_FOUND && e.kind() != ErrorKind.ALREADY_EXISTS) {
        report.notRestored(target.name(path), folder.name(path));
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
