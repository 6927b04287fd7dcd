package dev.ferry.core;

import dev.ferry.core.TransferBatch.Item;
import dev.ferry.core.local.Download;
import dev.ferry.core.local.LocalFileSink;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadStatus;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A client that transfers files to and from a server, with one protocol, one client stack and one
 * way of handling buffers.
 *
 * <p>Calls block until the file is complete and verified, or fail with a {@link FerryException}. A
 * target file is either complete or unchanged. An interrupt of the calling thread cancels the
 * transfer on both ends. Thread-safe.
 */
public interface Carrier extends AutoCloseable {
  /** Maximum time to establish a connection. */
  Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /**
   * Downloads a file, or the part of it that {@link PartReceiver#wanted} says, to the sink that the
   * receiver opens. Returns when the sink is committed, with a digest if the options request one.
   * After a failure, the sink is closed.
   *
   * <p>A part is not compressed. Its digest is not compared; that of a whole file that came instead
   * is.
   *
   * @throws FerryException with {@link ErrorKind#VERSION_MISMATCH} if the file does not have the
   *     version that is wanted; with {@link ErrorKind#INVALID_REQUEST} if the carrier does not know
   *     parts, or the server has none because the file ends before the offset
   */
  Transfer download(StorePath path, PartReceiver receiver, TransferOptions options)
      throws FerryException;

  /**
   * Uploads a file. It appears on the server under its name when it is complete. Its facts have its
   * size, and its digest if that is known before the first byte. The caller closes the source.
   *
   * <p>If the options name an {@linkplain CreateOptions#upload upload}, it can be continued after a
   * failure, at the offset that {@link #uploadStatus} says. A server that cannot continue uploads
   * stores the file as without it. The rest of a file is not compressed.
   *
   * @throws FerryException with {@link ErrorKind#OFFSET_MISMATCH} if the upload does not go on at
   *     the offset; with {@link ErrorKind#NOT_FOUND} if the server does not know it
   */
  Transfer upload(FileSource source, StorePath path, TransferOptions options) throws FerryException;

  /**
   * Transfers the files of a batch, until there are no more. A carrier may send requests before it
   * has the responses to those before. An upload whose response was lost may be sent again. If it
   * is to create a file, and the server has one of the same size and digest then, that is the one.
   *
   * @throws FerryException as the batch throws it, or with {@link ErrorKind#CANCELLED} if the
   *     carrier is closed or an item was cancelled, by either end. Items that were taken have then
   *     failed, if only with {@link ErrorKind#CANCELLED}
   */
  default void transferAll(TransferBatch batch) throws FerryException {
    for (Item item = batch.next(true); item != null; item = batch.next(true)) {
      try {
        item.done(item.transfer(this));
      } catch (FerryException e) {
        item.failed(e);
        if (e.kind() == ErrorKind.CANCELLED) {
          throw e;
        }
      }
    }
  }

  /**
   * Returns how far an upload is. It can then be continued there.
   *
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} if the server does not know the upload;
   *     with {@link ErrorKind#INVALID_REQUEST} if the carrier or the server cannot continue uploads
   */
  UploadStatus uploadStatus(UploadId id, CallLimits limits) throws FerryException;

  /**
   * Has the server discard what has arrived of an upload.
   *
   * @throws FerryException as {@link #uploadStatus}
   */
  void cancelUpload(UploadId id, CallLimits limits) throws FerryException;

  /**
   * Returns the facts of a file or directory.
   *
   * @param digest the digest that the facts of a file must have; if it is not known, the server
   *     reads the whole file; null means that those that are known are enough
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} or {@link ErrorKind#INVALID_PATH}
   */
  FileFacts stat(StorePath path, Digest.@Nullable Algorithm digest, CallLimits limits)
      throws FerryException;

  /**
   * Has the server read a file now, and returns its facts with the digest of the bytes that it has
   * read. A digest of {@link #stat} may be one that the server remembers from before: this one also
   * shows a change that left the size and the times of the file as they were.
   *
   * @param size bytes of the file, as far as is known, which say how long the server may be silent
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} or {@link ErrorKind#INVALID_PATH}
   */
  FileFacts readNow(StorePath path, long size, Digest.Algorithm digest, CallLimits limits)
      throws FerryException;

  /**
   * Passes the entries of a directory to a predicate as they arrive, in the order of {@link
   * Listing}. Memory is bounded on both ends, because the server sends no faster than the predicate
   * consumes. If the call fails midway, the predicate has already received the entries that arrived
   * before.
   *
   * @param tree whether to pass the entries of all directories below it, too: those of a directory
   *     follow its own entry. A directory that the server has not listed, which may be for its
   *     depth, has {@link FileFacts.LeftOut#UNREADABLE}; it may be listed alone
   * @param entries receives one entry at a time; the listing ends if it returns false or throws
   * @return false, before any entry is passed, if a tree is wanted and the carrier or the server
   *     lists one directory at a time
   */
  boolean list(StorePath directory, boolean tree, Predicate<FileFacts> entries, CallLimits limits)
      throws FerryException;

  /**
   * Changes a name on the server.
   *
   * @throws FerryException as the method of {@link FileStore} that the change names; with {@link
   *     ErrorKind#INVALID_REQUEST} if the carrier or the server does not make such changes
   */
  void change(Change change, CallLimits limits) throws FerryException;

  /** Closes the connections. Running transfers fail. Waits a few seconds at most. */
  @Override
  void close();

  /**
   * Downloads a whole file to a local file, which appears under its name when it is complete, and
   * replaces an existing file unless the options are for a new one.
   */
  default Transfer download(StorePath path, Path target, TransferOptions options)
      throws FerryException {
    if (target.getFileSystem() != FileSystems.getDefault()) {
      // Without retries there is no other connection.
      Carriers alone = Carriers.of(this, () -> this);
      return Download.run(alone, 1, path, target, options, Retries.NONE);
    }
    return download(path, facts -> LocalFileSink.create(target, options.sink(facts)), options);
  }

  /** Uploads a local file. */
  default Transfer upload(Path source, StorePath path, TransferOptions options)
      throws FerryException {
    try (FileSource file = FileSource.open(source)) {
      return upload(file, path, options);
    }
  }

  /** Returns all entries of a directory in memory. */
  default List<FileFacts> list(StorePath directory) throws FerryException {
    List<FileFacts> all = new ArrayList<>();
    boolean unused = list(directory, false, all::add, CallLimits.DEFAULT);
    return all;
  }
}
