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
 * Checks with requests to the server whether an upload can succeed, before any data is sent. The
 * server checks again at the end of the upload, because its files may change meanwhile.
 *
 * @param carrier the connection to the server
 * @param options the conditions of the upload
 */
record UploadCheck(Carrier carrier, CreateOptions options) {
  /**
   * Checks a target.
   *
   * @throws Refusal if the server could not create the file
   * @throws FerryException if a request fails
   */
  void require(StorePath target) throws FerryException {
    FileFacts there;
    try {
      there = stat(target);
    } catch (FerryException e) {
      if (e.kind() == ErrorKind.INVALID_PATH) {
        // A link that leads out of the store. The server does not follow it, but an upload may
        // replace it.
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

  /** The facts of a file or folder; null if it does not exist. */
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
