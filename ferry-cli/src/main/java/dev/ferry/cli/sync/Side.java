package dev.ferry.cli.sync;

import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import org.jspecify.annotations.Nullable;

/**
 * A folder at one end, with all that is below it. Paths are below the folder, with {@code /}
 * between segments; the empty one is the folder itself. Thread-safe.
 */
interface Side {
  /** Deeper folders are not walked, since each level takes a part of the stack of the thread. */
  int DEEPEST = 400;

  /** Returns the path of a name in a folder. */
  static String child(String folder, String name) {
    return folder.isEmpty() ? name : folder + "/" + name;
  }

  /**
   * Checks that a folder is not too deep to be listed.
   *
   * @param shown its name for people
   */
  static void requireDepth(String folder, Object shown) throws FerryException {
    if (!folder.isEmpty() && depth(folder) >= DEEPEST) {
      throw new FerryException(
          ErrorKind.INVALID_PATH,
          shown + ": is over " + DEEPEST + " folders deep; copy it separately");
    }
  }

  /**
   * Reads a folder, and begins to list it.
   *
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} if it does not exist
   */
  Entries list(String folder) throws FerryException;

  /** Begins to list a folder as {@link #list}. Returns null if the folder does not exist. */
  default @Nullable Entries find(String folder) throws FerryException {
    try {
      return list(folder);
    } catch (FerryException e) {
      if (e.kind() == ErrorKind.NOT_FOUND) {
        return null;
      }
      throw e;
    }
  }

  /**
   * Reads a file, and returns its CRC-32C.
   *
   * @param size its bytes, as its folder lists them
   */
  Digest digest(String path, long size) throws FerryException;

  /** Folders between the root of a tree and a path in it. */
  static int depth(String path) {
    return (int) path.chars().filter(c -> c == '/').count();
  }

  /** Returns the path of the folder that has a path. */
  static String parent(String path) {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }

  /** Returns the permissions of a folder; null if they are not known, or it does not exist. */
  @Nullable Integer mode(String folder) throws FerryException;

  /**
   * Makes a folder, and those above it. That it exists is no failure.
   *
   * @param mode the permissions of the folder of which those that are made are copies; null if they
   *     are not known
   */
  void makeFolder(String folder, @Nullable Integer mode) throws FerryException;

  /** Makes the folders for a path at another side, each like the one here. */
  default void makeFoldersFor(String path, Side to) throws FerryException {
    String folder = parent(path);
    if (!folder.isEmpty()) {
      makeFoldersFor(folder, to);
    }
    to.makeFolder(folder, mode(folder));
  }

  /** Deletes a file, or a link and not what it leads to. That it is missing is no failure. */
  void deleteFile(String path) throws FerryException;

  /**
   * Deletes an empty folder, or a link of a server to a folder. That it is missing is no failure.
   *
   * @return whether it is gone; it stays if it is not empty
   */
  boolean deleteFolder(String path) throws FerryException;

  /**
   * Moves a file, or a link and not what it leads to. Makes the folders for it, like those here.
   *
   * @param to another folder at the same end
   * @param replace whether it may replace a file
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} if it does not exist, or with {@link
   *     ErrorKind#ALREADY_EXISTS} if the other folder has something of that path
   */
  void move(String path, Side to, boolean replace) throws FerryException;

  /** The name of a path for people. */
  String name(String path) throws FerryException;
}
