package dev.ferry.core;

/**
 * Where a server's files live. Thread-safe; calls may block on the disk.
 *
 * @see LocalFileStore
 */
public interface FileStore {
  /**
   * The facts of a file or directory.
   *
   * @param digest whether a file's SHA-256 must be in them, at the price of reading it if unknown
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} or {@link ErrorKind#INVALID_PATH}
   */
  FileFacts stat(StorePath path, boolean digest) throws FerryException;

  /** Whether there is a file or directory of a name. */
  default boolean exists(StorePath path) throws FerryException {
    try {
      stat(path, false);
      return true;
    } catch (FerryException e) {
      if (e.kind() == ErrorKind.NOT_FOUND) {
        return false;
      }
      throw e;
    }
  }

  /**
   * The entries of a directory, without Ferry's temporary files; the caller closes the listing.
   *
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} unless it is a directory, with {@link
   *     ErrorKind#OVERLOADED} where too many listings are open to hold another one's names
   */
  Listing list(StorePath directory) throws FerryException;

  /** Opens a file for reading; the caller closes it. */
  FileSource open(StorePath path) throws FerryException;

  /**
   * Begins an upload; the caller closes the sink, which discards it unless it was committed.
   *
   * @param options what may stand, or be missing, where the file gets its name
   * @throws FerryException with {@link ErrorKind#ALREADY_EXISTS} where the path is a directory's,
   *     or leads through a file; or as the options say
   */
  FileSink create(StorePath path, CreateOptions options) throws FerryException;
}
