package dev.ferry.cli.client;

import dev.ferry.cli.output.JsonLines;
import dev.ferry.cli.output.OutputFlags;
import dev.ferry.cli.tree.RemoteFolder;
import dev.ferry.cli.tree.RemoteTree;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileFacts.LeftOut;
import dev.ferry.core.StorePath;

/**
 * Deletes folders of a server with all that is in them. Of a link to a folder, the link is deleted
 * alone.
 */
record TreeRemoval(ServerCalls server, TreeTransfers transfers, OutputFlags output) {
  /** What is in a folder, at any depth. */
  record Count(long files, long folders) {
    private Count plus(Count other) {
      return new Count(files + other.files, folders + other.folders);
    }
  }

  /** Counts what is in a folder. */
  static Count count(ServerCalls server, StorePath folder, int depth) throws FerryException {
    RemoteTree.requireDepth(folder, depth);
    RemoteFolder entries = RemoteFolder.open(server::list, folder);
    Count count = new Count(0, 0);
    for (FileFacts entry = entries.next(); entry != null; entry = entries.next()) {
      boolean walks = entry.directory() && entry.link() == null;
      count = count.plus(walks ? new Count(0, 1) : new Count(1, 0));
      if (walks) {
        count = count.plus(count(server, folder.child(entries.name(entry)), depth + 1));
      }
    }
    return count;
  }

  /** Deletes a folder that is not empty. */
  void delete(StorePath folder) throws FerryException {
    delete(folder, 0);
    transfers.await();
  }

  private void delete(StorePath folder, int depth) throws FerryException {
    RemoteTree.requireDepth(folder, depth);
    RemoteFolder entries = RemoteFolder.open(server::list, folder);
    for (FileFacts entry = entries.next(); entry != null; entry = entries.next()) {
      if (entry.leftOut() == LeftOut.NAME) {
        transfers.missing().leftOut(entry.name(), LeftOut.NAME.reason());
        continue;
      }
      StorePath path = folder.child(entries.name(entry));
      if (entry.directory()) {
        // What is a link on the server is gone then, and what it leads to is not looked at.
        transfers
            .missing()
            .attempt(
                () -> {
                  if (!isGone(path)) {
                    delete(path, depth + 1);
                  }
                });
      } else {
        transfers.beginChange(() -> transfers.missing().attempt(() -> deleted(path)));
      }
    }
    transfers.await();
    if (!isGone(folder) && transfers.missing().all() == 0) {
      throw new FerryException(
          ErrorKind.NOT_EMPTY, folder + ": new files were added meanwhile; try again");
    }
  }

  private boolean isGone(StorePath folder) throws FerryException {
    try {
      deleted(folder);
      return true;
    } catch (FerryException e) {
      if (e.kind() == ErrorKind.NOT_EMPTY) {
        return false;
      }
      throw e;
    }
  }

  private void deleted(StorePath path) throws FerryException {
    transfers.delete(path);
    output.change(() -> path + ": deleted", () -> JsonLines.change("deleted", path.value()));
  }
}
