package dev.ferry.wire.internal;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.Retries;
import dev.ferry.core.StorePath;
import dev.ferry.core.StoreRule;
import dev.ferry.core.TransferOptions.Progress;
import dev.ferry.core.internal.Pace;
import dev.ferry.core.upload.UploadPart;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What one request for files means, between its wire and the store. All servers share it, so that
 * each of them only translates: messages or fields to these calls, and results and failures back.
 * Calls block as those of the store. Thread-safe.
 *
 * @param store what the caller may use
 * @param request learns what is known of the request
 * @param workers run what may block, as work for the request
 * @param digests computes those of large files
 */
public record FileOperations(
    FileStore store, RunningRequest request, Executor workers, LargeDigests digests) {
  /** Returns the same operations on another store. */
  public FileOperations on(FileStore other) {
    return new FileOperations(other, request, workers, digests);
  }

  /**
   * Returns the facts of a file or directory, with the digests that are known.
   *
   * @throws FerryException as {@link FileStore#stat(StorePath, boolean)}
   */
  public FileFacts stat(StorePath path) throws FerryException {
    return store.stat(path, false);
  }

  /**
   * Returns the facts of a file with a digest, or those of a directory. If the digest is not known,
   * this reads the whole file, unless that takes long: then {@link LargeDigests} does so.
   *
   * @param facts what is known of it
   * @param now whether the file is read, whatever is known of it
   * @return complete already, or completed later. Who no longer waits cancels or completes it
   * @throws FerryException as {@link FileStore#stat(StorePath, Digest.Algorithm)}
   */
  public CompletableFuture<FileFacts> withDigest(
      StorePath path, FileFacts facts, Digest.Algorithm algorithm, boolean now)
      throws FerryException {
    if (facts.directory() || (!now && facts.digest(algorithm) != null)) {
      return CompletableFuture.completedFuture(facts);
    }
    Retries.Call<FileFacts> computing =
        () -> now ? store.readNow(path, algorithm) : store.stat(path, algorithm);
    if (!computesElsewhere(path, facts)) {
      return CompletableFuture.completedFuture(computing.run());
    }
    return digests.compute(
        new LargeDigests.Wanted(path, facts.version(), algorithm, now),
        request.holder(),
        computing);
  }

  /** Whether {@link #withDigest} leaves a digest that it has to compute to other threads. */
  public boolean computesElsewhere(StorePath path, FileFacts facts) {
    // A computation is shared by all callers who may read the file. The store refuses others.
    return LargeDigests.isFor(facts) && store.allows(StoreRule.Permission.READ, path);
  }

  /** Makes of an open file what sends it, which closes it at the end. */
  @FunctionalInterface
  public interface Sending<T> {
    T of(FileSource file) throws FerryException;
  }

  /**
   * Opens a file to send it.
   *
   * @param sending if it fails, because the file is not to be sent, the file is closed
   * @throws FerryException as {@link FileStore#open} and the sending
   */
  public <T> T open(StorePath path, Sending<T> sending) throws FerryException {
    FileSource file = store.open(path);
    try {
      return sending.of(file);
    } catch (FerryException | RuntimeException | Error e) {
      try (file) {
        throw e;
      }
    }
  }

  /**
   * Begins an upload, or goes on with it. The caller closes the sink.
   *
   * @param options with what the request sends of an upload that can be continued, if it is one
   * @param size bytes of the whole file; negative if they are not known, or announced later
   * @throws FerryException as {@link FileStore#create} and {@link FileSink#expect}; with {@link
   *     ErrorKind#OFFSET_MISMATCH} if the store cannot go on at the offset
   */
  public FileSink create(StorePath path, CreateOptions options, long size) throws FerryException {
    UploadPart part = options.upload();
    FileSink sink = store.create(path, options);
    try {
      if (part != null && sink.written() != part.offset()) {
        throw new FerryException(
            ErrorKind.OFFSET_MISMATCH, path + ": this store cannot continue uploads");
      }
      if (size >= 0) {
        sink.expect(size);
      }
      return sink;
    } catch (FerryException | RuntimeException | Error e) {
      try (sink) {
        throw e;
      }
    }
  }

  /**
   * Returns the pace of a transfer that begins; null if the caller has no limit.
   *
   * @param executor runs what goes on
   */
  public @Nullable Pace pace(Executor executor) {
    return Pace.of(request.rateLimit(), executor);
  }

  /**
   * Returns what counts the bytes of a download.
   *
   * @param begin the position in the file of the first one
   */
  public Progress progress(long begin) {
    return (position, size) -> request.bytes(position - begin);
  }

  /** Returns how many bytes to transfer at once: a size, or less if the caller has a limit. */
  public int chunk(int size) {
    return Pace.chunk(request.rateLimit(), size);
  }
}
