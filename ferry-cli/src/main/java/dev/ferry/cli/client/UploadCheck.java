package dev.ferry.cli.client;

import dev.ferry.cli.program.Refusal;
import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.DaemonThreads;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Checks with requests to the server whether an upload can succeed, before any data is sent. The
 * server checks again at the end of the upload, because its files may change meanwhile.
 *
 * <p>No client waits for the server's response before it sends, so a refused upload would have sent
 * bytes in vain. Unless the upload may replace the file that was seen here, it is made with
 * <i>create only</i>, so that a file that appears meanwhile is not replaced.
 *
 * @param carrier the connection to the server
 * @param options the conditions of the upload
 * @param limits of each request
 * @param orHidden what a refusal adds where a folder is missing, or hidden from the user
 */
record UploadCheck(Carrier carrier, CreateOptions options, CallLimits limits, String orHidden) {
  /**
   * Checks a target.
   *
   * @return the facts of the file that has this name; null if there is none, or if the caller may
   *     not know
   * @throws FolderThere if a folder has this name
   * @throws Refusal if the server could not create the file
   * @throws FerryException if a request fails
   */
  @Nullable FileFacts require(StorePath target) throws FerryException {
    // The folder is asked for at the same time: one after the other would take two round trips.
    StorePath folder = parent(target);
    FutureTask<@Nullable FileFacts> folderFacts =
        new FutureTask<>(() -> folder == null ? null : stat(folder));
    if (folder != null) {
      Thread unused = DaemonThreads.start("ferry-put-check", folderFacts);
    }
    FileFacts there;
    try {
      there = stat(target);
    } catch (FerryException e) {
      if (mayBeThere(e)) {
        return null;
      }
      throw e;
    }
    if (there == null && folder != null) {
      requireFolders(folder, await(folderFacts, target));
    } else if (there != null && there.directory()) {
      throw new FolderThere(target);
    } else if (there != null && options.createOnly()) {
      throw new Refusal(ErrorKind.ALREADY_EXISTS, target + ": already exists; choose another name");
    }
    return there;
  }

  /**
   * Checks a folder for several files.
   *
   * @throws Refusal if it is missing, or a file
   * @throws FerryException if a request fails
   */
  void requireFolder(StorePath folder) throws FerryException {
    if (folder.equals(StorePath.ROOT)) {
      return;
    }
    try {
      requireFolders(folder, stat(folder));
    } catch (FerryException e) {
      if (!mayBeThere(e)) {
        throw e;
      }
    }
  }

  /**
   * Whether an upload may succeed although the server does not say what is there: it follows no
   * link that leads out of the store, but an upload may replace it. Or the caller may write there
   * and not read.
   */
  private static boolean mayBeThere(FerryException failure) {
    return failure.kind() == ErrorKind.INVALID_PATH
        || failure.kind() == ErrorKind.PERMISSION_DENIED;
  }

  private static @Nullable FileFacts await(FutureTask<@Nullable FileFacts> facts, StorePath target)
      throws FerryException {
    try {
      return facts.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof FerryException cause
          ? cause
          : new FerryException(ErrorKind.INTERNAL, target + ": cannot be checked", e);
    } catch (InterruptedException e) {
      throw FerryException.interrupted(target + ": cancelled", e);
    }
  }

  /**
   * Checks the folders of a target that does not exist.
   *
   * @param folder its folder
   * @param facts the facts of its folder; null if that does not exist
   */
  private void requireFolders(StorePath folder, @Nullable FileFacts facts) throws FerryException {
    StorePath missing = null;
    StorePath next = folder;
    FileFacts there = facts;
    while (there == null && next != null) {
      missing = next;
      next = parent(next);
      there = next == null ? null : stat(next);
    }
    if (there != null && !there.directory()) {
      throw new Refusal(
          ErrorKind.ALREADY_EXISTS, next + ": is a file, not a folder; choose another path");
    }
    if (missing != null && !options.makeParents()) {
      throw new Refusal(
          ErrorKind.NOT_FOUND, missing + ": no such folder" + orHidden + "; --parents makes it");
    }
  }

  /** The facts of a file or folder; null if it does not exist. */
  private @Nullable FileFacts stat(StorePath path) throws FerryException {
    try {
      return carrier.stat(path, null, limits);
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
