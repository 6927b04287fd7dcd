package dev.ferry.cli;

import dev.ferry.cli.program.Refusal;
import dev.ferry.core.Carrier;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import org.jspecify.annotations.Nullable;

/**
 * Asks a server whether a file could get its name there, so that none is sent in vain. The server
 * looks again itself: much may happen until then.
 *
 * @param carrier the connection to it
 * @param options what the upload will ask for
 */
record UploadCheck(Carrier carrier, CreateOptions options) {
  /**
   * Asks.
   *
   * @throws Refusal if it cannot
   * @throws FerryException if the server does not answer
   */
  void require(StorePath target) throws FerryException {
    FileFacts there;
    try {
      there = stat(target);
    } catch (FerryException e) {
      if (e.kind() == ErrorKind.INVALID_PATH) {
        // A link that leads out of the store: it is not followed, but may well be replaced.
        return;
      }
      throw e;
    }
    if (there == null) {
      requireFolders(target);
    } else if (there.directory()) {
      throw new Refusal(target + ": is a folder; end the path with '/' to put the file in there");
    } else if (options.createOnly()) {
      throw new Refusal(target + ": already exists; choose another name");
    }
  }

  private void requireFolders(StorePath target) throws FerryException {
    StorePath missing = null;
    for (StorePath folder = parent(target); folder != null; folder = parent(folder)) {
      FileFacts there = stat(folder);
      if (there != null && !there.directory()) {
        throw new Refusal(folder + ": is a file, not a folder; choose another path");
      }
      if (there != null) {
        break;
      }
      missing = folder;
    }
    if (missing != null && !options.makeParents()) {
      throw new Refusal(missing + ": no such folder; --parents makes it");
    }
  }

  /** The facts of a file or folder; null where there is none. */
  private @Nullable FileFacts stat(StorePath path) throws FerryException {
    try {
      return carrier.stat(path, false);
    } catch (FerryException e) {
      if (e.kind() == ErrorKind.NOT_FOUND) {
        return null;
      }
      throw e;
    }
  }

  private static @Nullable StorePath parent(StorePath path) throws FerryException {
    int slash = path.value().lastIndexOf('/');
    return slash < 0 ? null : StorePath.parse(path.value().substring(0, slash));
  }
}
