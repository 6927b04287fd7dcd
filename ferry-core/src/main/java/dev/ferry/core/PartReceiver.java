package dev.ferry.core;

import org.jspecify.annotations.Nullable;

/**
 * Opens the sink of a file, or of a part of it, that is being downloaded. One of its methods is
 * called once, on any thread, when the server says what it sends. The carrier commits and closes
 * the sink.
 */
@FunctionalInterface
public interface PartReceiver {
  /** The part that is wanted; null means the whole file. */
  default @Nullable PartRequest wanted() {
    return null;
  }

  /**
   * Whether the sinks may wait, for something else than a local disk. A carrier then calls them on
   * threads that have nothing else to do.
   */
  default boolean mayWait() {
    return false;
  }

  /**
   * Opens the sink of the part. Called only if a part was requested.
   *
   * @param facts the facts of the whole file, with its version
   * @param length bytes that the server sends, from the requested offset on
   * @throws FerryException to end the download
   */
  default FileSink part(FileFacts facts, long length) throws FerryException {
    throw new FerryException(
        ErrorKind.INCOMPLETE, facts.name() + ": a part was sent, and not the file");
  }

  /**
   * Opens the sink of the whole file, which was requested, or which the server sends in place of a
   * part, as it may over HTTP.
   *
   * @param facts the facts of the file; without a version if the server does not state version and
   *     size
   * @throws FerryException to end the download
   */
  FileSink whole(FileFacts facts) throws FerryException;
}
