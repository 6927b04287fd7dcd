package dev.ferry.core;

import dev.ferry.core.TransferBatch.Item;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadPart;
import dev.ferry.core.upload.UploadStatus;
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
   * Downloads a file of the server to a local file. The local file appears under its name when it
   * is complete, and replaces an existing file unless the options are for a new one.
   */
  Transfer download(StorePath path, Path target, TransferOptions options) throws FerryException;

  /**
   * Downloads a file to the sink that {@link PartReceiver#whole} opens. Returns when the sink is
   * committed, with a digest if the options request one. After a failure, the sink is closed.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if the carrier knows local files
   *     alone
   */
  default Transfer download(StorePath path, PartReceiver receiver, TransferOptions options)
      throws FerryException {
    throw new FerryException(
        ErrorKind.INVALID_REQUEST, path + ": this carrier downloads to local files alone");
  }

  /**
   * Downloads a part of a file, uncompressed. Its digest is not compared; that of a whole file that
   * came instead is. Returns when the sink of the receiver is committed.
   *
   * @throws FerryException with {@link ErrorKind#VERSION_MISMATCH} if the file does not have the
   *     requested version; with {@link ErrorKind#INVALID_REQUEST} if the carrier does not know
   *     parts, or the server has none because the file ends before the offset
   */
  default Transfer downloadPart(
      StorePath path, PartRequest part, PartReceiver receiver, TransferOptions options)
      throws FerryException {
    throw new FerryException(
        ErrorKind.INVALID_REQUEST, path + ": this carrier transfers whole files alone");
  }

  /**
   * Downloads the files of a batch, until there are no more. A carrier may send requests before it
   * has the responses to those before.
   *
   * @throws FerryException as the batch throws it, or if the carrier is closed. Items that were
   *     taken have then failed, if only with {@link ErrorKind#CANCELLED}
   */
  default void downloadAll(TransferBatch batch) throws FerryException {
    for (Item item = batch.next(true); item != null; item = batch.next(true)) {
      Transfer transfer;
      try {
        transfer = download(item.path(), item::create, item.options());
      } catch (FerryException e) {
        item.failed(e);
        continue;
      }
      item.done(transfer);
    }
  }

  /**
   * Uploads the files of a batch, as {@link #downloadAll} downloads them. An upload whose response
   * was lost may be sent again. If it is to create a file, and the server has one of the same size
   * and digest then, that is the one.
   */
  default void uploadAll(TransferBatch batch) throws FerryException {
    for (Item item = batch.next(true); item != null; item = batch.next(true)) {
      Transfer transfer;
      try {
        transfer = upload(item.file(), item.path(), item.options());
      } catch (FerryException e) {
        item.failed(e);
        continue;
      }
      item.done(transfer);
    }
  }

  /** Uploads a local file. It appears on the server under its name when it is complete. */
  Transfer upload(Path source, StorePath path, TransferOptions options) throws FerryException;

  /**
   * Uploads a file that is not local, and need not be there as a whole. Its facts have its size,
   * and its digest if that is known before the first byte. The source is closed at the end.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if the carrier knows local files
   *     alone
   */
  default Transfer upload(FileSource source, StorePath path, TransferOptions options)
      throws FerryException {
    throw new FerryException(
        ErrorKind.INVALID_REQUEST, path + ": this carrier uploads local files alone");
  }

  /**
   * Uploads a local file, or the rest of it, so that it can be continued after a failure. A server
   * that cannot continue uploads stores the file as without it. The rest of a file is not
   * compressed.
   *
   * @param part an offset that {@link #uploadStatus} returned, or 0
   * @throws FerryException with {@link ErrorKind#OFFSET_MISMATCH} if the upload does not go on at
   *     the offset; with {@link ErrorKind#NOT_FOUND} if the server does not know it
   */
  default Transfer upload(Path source, StorePath path, UploadPart part, TransferOptions options)
      throws FerryException {
    if (part.offset() > 0) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, path + ": this carrier transfers whole files alone");
    }
    return upload(source, path, options);
  }

  /**
   * Returns how far an upload is. It can then be continued there.
   *
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} if the server does not know the upload;
   *     with {@link ErrorKind#INVALID_REQUEST} if the carrier or the server cannot continue uploads
   */
  default UploadStatus uploadStatus(UploadId id) throws FerryException {
    throw new FerryException(
        ErrorKind.INVALID_REQUEST, "upload " + id + ": this carrier transfers whole files alone");
  }

  /**
   * Has the server discard what has arrived of an upload.
   *
   * @throws FerryException as {@link #uploadStatus}
   */
  default void cancelUpload(UploadId id) throws FerryException {
    throw new FerryException(
        ErrorKind.INVALID_REQUEST, "upload " + id + ": this carrier transfers whole files alone");
  }

  /** Returns the facts of a file or directory; see {@link FileStore#stat}. */
  FileFacts stat(StorePath path, boolean digest) throws FerryException;

  /**
   * Returns the facts of a file with the digest of an algorithm, or the facts of a directory; see
   * {@link FileStore#stat(StorePath, Digest.Algorithm)}.
   */
  FileFacts stat(StorePath path, Digest.Algorithm algorithm) throws FerryException;

  /**
   * Passes the entries of a directory to a predicate as they arrive, in the order of {@link
   * Listing}. Memory is bounded on both ends, because the server sends no faster than the predicate
   * consumes. If the call fails midway, the predicate has already received the entries that arrived
   * before.
   *
   * @param entries receives one entry at a time; the listing ends if it returns false or throws
   */
  void list(StorePath directory, Predicate<FileFacts> entries) throws FerryException;

  /**
   * Does the same with the entries of all directories below it, too: those of a directory follow
   * its own entry. A directory that the server has not listed, which may be for its depth, has
   * {@link FileFacts.LeftOut#UNREADABLE}; {@link #list} may list it.
   *
   * @return false, before any entry is passed, if the carrier or the server lists one directory at
   *     a time
   */
  default boolean listTree(StorePath directory, Predicate<FileFacts> entries)
      throws FerryException {
    return false;
  }

  /** Returns all entries of a directory in memory. */
  default List<FileFacts> list(StorePath directory) throws FerryException {
    List<FileFacts> all = new ArrayList<>();
    list(directory, all::add);
    return all;
  }

  /**
   * Deletes a file or an empty directory; see {@link FileStore#delete}.
   *
   * @param version the version that the file must have; null means any
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if the carrier or the server does
   *     not delete
   */
  default void delete(StorePath path, @Nullable String version) throws FerryException {
    throw new FerryException(ErrorKind.INVALID_REQUEST, path + ": this carrier deletes nothing");
  }

  /**
   * Moves a file or directory to another name on the server; see {@link FileStore#move}.
   *
   * @param replace whether a file replaces a file at the target
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if the carrier or the server does
   *     not move
   */
  default void move(StorePath source, StorePath target, boolean replace) throws FerryException {
    throw new FerryException(ErrorKind.INVALID_REQUEST, source + ": this carrier moves nothing");
  }

  /**
   * Makes a directory on the server; see {@link FileStore#makeDirectory}.
   *
   * @param parents whether missing parent directories are made, too, and an existing directory is
   *     no error
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if the carrier or the server does
   *     not make directories
   */
  default void makeDirectory(StorePath path, boolean parents) throws FerryException {
    throw new FerryException(ErrorKind.INVALID_REQUEST, path + ": this carrier makes no folders");
  }

  /**
   * Makes a symbolic link on the server; see {@link FileStore#makeLink}.
   *
   * @param replace whether it may replace a file or another link
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if the carrier or the server does
   *     not make links
   */
  default void makeLink(StorePath path, String target, boolean replace) throws FerryException {
    throw new FerryException(ErrorKind.INVALID_REQUEST, path + ": this carrier makes no links");
  }

  /**
   * Sets the limits of time for later calls that transfer no file, such as {@link #stat} and {@link
   * #list}. Only the timeout and the stall timeout of the options are used. By default these calls
   * have no timeout, and the stall timeout of {@link TransferOptions#DEFAULT} (a minute).
   */
  void limitCalls(TransferOptions limits);

  /** Closes the connections. Running transfers fail. Waits a few seconds at most. */
  @Override
  void close();
}
