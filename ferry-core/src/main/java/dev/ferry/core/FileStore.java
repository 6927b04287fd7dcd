package dev.ferry.core;

import dev.ferry.core.upload.KeptUpload;
import dev.ferry.core.upload.UploadId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The files of a server. Thread-safe. Calls block: on the disk, or on a network if the store {@link
 * #isRemote}.
 *
 * <p>An interface with futures was the alternative for remote stores. It would have cost the local
 * path an allocation and a check for each chunk, and every store, test and wrapper its simplicity.
 *
 * @see dev.ferry.core.local.LocalFileStore
 */
public interface FileStore {
  /**
   * Whether calls of this store, of its sources and of its sinks wait for a network. A server then
   * calls them on threads that may wait, and never on its event loops. A store that wraps another
   * one has to pass this on.
   */
  default boolean isRemote() {
    return false;
  }

  /**
   * Returns this store for the requests of one caller, who gets no more than a share of what its
   * callers have in common, such as the room on the disk. A store that has no such limits returns
   * itself. One that wraps another store has to pass this on.
   *
   * @param holder the same text for all requests of a caller, and for no others
   */
  default FileStore heldBy(String holder) {
    return this;
  }

  /**
   * Returns whether this store permits something at a path and everywhere below it, so that people
   * are not offered what would be refused. It may still fail.
   */
  default boolean allows(StoreRule.Permission permission, StorePath path) {
    return true;
  }

  /**
   * Returns the facts of a file or directory.
   *
   * @param digest whether the facts must include the SHA-256 of a file; if it is not known, the
   *     whole file is read
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} or {@link ErrorKind#INVALID_PATH}
   */
  FileFacts stat(StorePath path, boolean digest) throws FerryException;

  /**
   * Returns the facts of a file with the digest of an algorithm, or the facts of a directory. If
   * the digest is not known, the whole file is read.
   *
   * @throws FerryException as {@link #stat(StorePath, boolean)}
   */
  default FileFacts stat(StorePath path, Digest.Algorithm algorithm) throws FerryException {
    FileFacts facts = stat(path, algorithm == Digest.Algorithm.SHA256);
    return facts.directory() || facts.digest(algorithm) != null ? facts : readNow(path, algorithm);
  }

  /**
   * Reads a whole file, and returns its facts with the digest of the bytes that were read. No other
   * digest counts, whatever is known of the file: its bytes may have changed in a way that neither
   * its size nor its times show. Whoever remembers another digest of this version forgets it.
   *
   * @throws FerryException as {@link #open}, or with {@link ErrorKind#FILE_CHANGED}
   */
  default FileFacts readNow(StorePath path, Digest.Algorithm algorithm) throws FerryException {
    try (FileSource source = open(path)) {
      Digest digest = source.digest(algorithm);
      source.verifyUnchanged();
      return source.facts().withoutDigests().withDigest(digest);
    }
  }

  /** Whether a file or directory of this name exists. */
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
   * Opens a listing of a directory, without Ferry's temporary files. The caller closes the listing.
   *
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} unless it is a directory, or with
   *     {@link ErrorKind#OVERLOADED} if the open listings use all the memory reserved for names
   */
  Listing list(StorePath directory) throws FerryException;

  /**
   * Opens a listing of a directory and of all that is below it, as {@link TreeListing} makes it of
   * {@link #list}. A store that wraps another one need not pass this on.
   *
   * @throws FerryException as {@link #list}
   */
  default Listing listTree(StorePath directory) throws FerryException {
    return TreeListing.open(this, directory);
  }

  /**
   * Returns where a directory really is: that of a symbolic link, and of what is behind one, is the
   * path that it has without links. The name may be one that a caller may not see. A store that
   * wraps another one and passes its links on has to pass this on.
   *
   * @throws FerryException with {@link ErrorKind#NOT_FOUND}
   */
  default StorePath real(StorePath directory) throws FerryException {
    return directory;
  }

  /** Opens a file for reading. The caller closes it. */
  FileSource open(StorePath path) throws FerryException;

  /**
   * Begins an upload. The caller closes the sink, which discards the upload unless it was
   * committed.
   *
   * <p>If the options name an upload, and the store keeps uploads, the sink begins with {@link
   * FileSink#written} at the offset. If it is closed without a commit, what has arrived is kept,
   * unless a write or the commit failed. A sink that still receives the same upload is closed.
   *
   * @throws FerryException with {@link ErrorKind#ALREADY_EXISTS} if the path is a directory or
   *     leads through a file; with {@link ErrorKind#NOT_FOUND} if the upload to continue is not
   *     known; with {@link ErrorKind#OFFSET_MISMATCH} if it does not go on at the offset; or with
   *     the errors of {@link CreateOptions}
   */
  FileSink create(StorePath path, CreateOptions options) throws FerryException;

  /**
   * Deletes a file or an empty directory. A symbolic link is deleted, and not what it leads to.
   *
   * @param version the {@linkplain FileFacts#version version} that the file must have; null means
   *     any
   * @throws FerryException with {@link ErrorKind#NOT_FOUND}, {@link ErrorKind#NOT_EMPTY}, {@link
   *     ErrorKind#VERSION_MISMATCH}, or {@link ErrorKind#INVALID_REQUEST} if the store cannot
   *     delete
   */
  default void delete(StorePath path, @Nullable String version) throws FerryException {
    throw new FerryException(ErrorKind.INVALID_REQUEST, path + ": this store deletes nothing");
  }

  /**
   * Moves a file or directory to another name in this store. The target has its content or the
   * former one at any time. A symbolic link is moved, and not what it leads to.
   *
   * @param replace whether a file replaces a file at the target; nothing ever replaces a directory
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} if the source or the directory of the
   *     target does not exist, {@link ErrorKind#ALREADY_EXISTS} if the target exists, or {@link
   *     ErrorKind#INVALID_REQUEST} if a directory would be moved into itself, a link that stays in
   *     the store to where it would not, or the store cannot move
   */
  default void move(StorePath source, StorePath target, boolean replace) throws FerryException {
    throw new FerryException(ErrorKind.INVALID_REQUEST, source + ": this store moves nothing");
  }

  /**
   * Begins a file or directory that other calls see when it is complete, at once and not before.
   * Closing the result deletes what was not published. A store that wraps another one and decides
   * about calls should pass this on.
   *
   * @param replace whether it may replace what is at the path, also a directory with all that is in
   *     it
   * @throws FerryException with {@link ErrorKind#ALREADY_EXISTS} if something is there and may not
   *     be replaced, or {@link ErrorKind#NOT_FOUND} if its parent directory does not exist; a store
   *     may say so later
   */
  default StagedTree stage(StorePath path, boolean replace) throws FerryException {
    return new StagedBeside(this, path, replace);
  }

  /**
   * Makes a directory.
   *
   * @param parents whether missing parent directories are made, too, and an existing directory is
   *     no error
   * @param mode the permissions of the directory of which the new ones are copies, from 0 to 0777;
   *     null if they are not known. New directories have no others, and not those that the umask of
   *     the store takes away; their owner may use them in any case. A store may keep none
   * @throws FerryException with {@link ErrorKind#ALREADY_EXISTS}, {@link ErrorKind#NOT_FOUND} if
   *     its parent directory does not exist, or {@link ErrorKind#INVALID_REQUEST} if the store has
   *     no directories
   */
  default void makeDirectory(StorePath path, boolean parents, @Nullable Integer mode)
      throws FerryException {
    throw new FerryException(ErrorKind.INVALID_REQUEST, path + ": this store makes no folders");
  }

  /**
   * Sets the modification time of a file or directory.
   *
   * @param time to the millisecond
   * @throws FerryException with {@link ErrorKind#NOT_FOUND}, or {@link ErrorKind#INVALID_REQUEST}
   *     if the store cannot keep the time, or sets none
   */
  default void setLastModified(StorePath path, Instant time) throws FerryException {
    throw new FerryException(ErrorKind.INVALID_REQUEST, path + ": this store sets no times");
  }

  /**
   * The space of the disk that a directory is on.
   *
   * @param used bytes
   * @param usable bytes that can still be written
   */
  record Space(long used, long usable) {}

  /**
   * Returns the space of the disk that a directory is on.
   *
   * @return null if the store has no such limit, or does not know it
   * @throws FerryException with {@link ErrorKind#NOT_FOUND}
   */
  default @Nullable Space space(StorePath directory) throws FerryException {
    return null;
  }

  /**
   * Makes a symbolic link, and the directories for it that are missing. What the target leads to
   * need not exist. A link that is there with the same target is no error.
   *
   * @param target relative, with {@code /} between names, and {@code ..} only at its beginning
   * @param replace whether it may replace a file or another link; nothing replaces a directory
   * @throws FerryException with {@link ErrorKind#ALREADY_EXISTS}, or with {@link
   *     ErrorKind#INVALID_REQUEST} if the target leads out of the store, or the store has no links
   */
  default void makeLink(StorePath path, String target, boolean replace) throws FerryException {
    throw new FerryException(ErrorKind.INVALID_REQUEST, path + ": this store has no links");
  }

  /**
   * Returns an upload that can be continued or is complete. A sink that still receives it is
   * closed, so that no more bytes come than this says. A store that wraps another one and keeps
   * uploads has to pass this on.
   *
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} if it is not known, or no longer; with
   *     {@link ErrorKind#UNAVAILABLE} while its file is checked
   */
  default KeptUpload upload(UploadId id) throws FerryException {
    throw new FerryException(ErrorKind.NOT_FOUND, "upload " + id + ": not known, or expired");
  }

  /**
   * Discards what has arrived of an upload. The file of a complete one stays.
   *
   * @throws FerryException as {@link #upload}
   */
  default void cancelUpload(UploadId id) throws FerryException {
    throw new FerryException(ErrorKind.NOT_FOUND, "upload " + id + ": not known, or expired");
  }
}
