package dev.ferry.grpc.internal;

import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import dev.ferry.grpc.internal.message.AheadFeed;
import dev.ferry.grpc.internal.message.ChunkFeed;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The digest of a file that is being sent. It is sent after the last chunk. */
final class OutgoingDigest {
  private final Supplier<CompletableFuture<@Nullable Digest>> digest;
  private final @Nullable Executor readers;
  private final Runnable stop;

  /**
   * @param readers read the chunks, because that or the digest takes long; null if the sender reads
   *     them
   */
  private OutgoingDigest(
      Supplier<CompletableFuture<@Nullable Digest>> digest, @Nullable Executor readers) {
    this(digest, readers, () -> {});
  }

  private OutgoingDigest(
      Supplier<CompletableFuture<@Nullable Digest>> digest,
      @Nullable Executor readers,
      Runnable stop) {
    this.digest = digest;
    this.readers = readers;
    this.stop = stop;
  }

  /**
   * Begins to compute the digest of a file. One that is remembered is not enough: it stands behind
   * the bytes, so it is that of these. Call this before the first chunk is read. Closing the source
   * stops the computation.
   *
   * <p>CRC-32C is computed by the threads that read chunks. So is SHA-256 if they are read in
   * order; it takes longer than to read and send them, so one worker at a time reads ahead of the
   * sender. If they are not, another thread reads the file for it.
   *
   * @param algorithm null for no digest
   * @param inOrder whether the chunks are read in order
   */
  static OutgoingDigest of(
      FileSource source, Digest.@Nullable Algorithm algorithm, boolean inOrder, Executor executor) {
    // A read may wait for long, and then a call that ends must not wait for it.
    Executor readers = source.isReadOnce() ? executor : null;
    if (algorithm == null) {
      return new OutgoingDigest(() -> CompletableFuture.completedFuture(null), readers);
    }
    boolean sha256 = algorithm == Digest.Algorithm.SHA256;
    if (sha256 && !inOrder) {
      CompletableFuture<@Nullable Digest> digest = compute(source, algorithm, executor);
      return new OutgoingDigest(() -> digest, null);
    }
    source.computeWhileReading(algorithm);
    return new OutgoingDigest(
        () -> compute(source, algorithm, Runnable::run), sha256 ? executor : readers);
  }

  /**
   * Begins to compute the digest of a file of which only the rest is sent. Another thread reads it.
   *
   * @param algorithm null for no digest
   */
  static OutgoingDigest beside(
      FileSource source, Digest.@Nullable Algorithm algorithm, Executor executor) {
    if (algorithm == null) {
      return of(source, null, true, executor);
    }
    CompletableFuture<@Nullable Digest> digest = compute(source, algorithm, executor);
    return new OutgoingDigest(() -> digest, null);
  }

  /**
   * Takes the digest of a file from whoever computes it, and tells them if it is not needed any
   * more.
   *
   * @param facts of what has the name of the file now, with the digest. If that is another version,
   *     or something that cannot be read, because the file was replaced or deleted meanwhile, the
   *     digest is computed here
   */
  static OutgoingDigest computedElsewhere(
      FileSource source,
      Digest.Algorithm algorithm,
      CompletableFuture<FileFacts> facts,
      Executor executor) {
    CompletableFuture<@Nullable Digest> digest = new CompletableFuture<>();
    CompletableFuture<FileFacts> unused =
        facts.whenComplete(
            (known, failure) -> {
              boolean other =
                  failure instanceof FerryException e
                      && e.kind() != ErrorKind.CANCELLED
                      && e.kind() != ErrorKind.UNAVAILABLE;
              String version = source.facts().version();
              if (failure != null && !other) {
                digest.completeExceptionally(failure);
              } else if (other || version == null || !version.equals(known.version())) {
                compute(source, algorithm, executor, digest);
              } else {
                digest.complete(known.digest(algorithm));
              }
            });
    return new OutgoingDigest(() -> digest, null, () -> facts.cancel(false));
  }

  private static CompletableFuture<@Nullable Digest> compute(
      FileSource source, Digest.Algorithm algorithm, Executor executor) {
    CompletableFuture<@Nullable Digest> digest = new CompletableFuture<>();
    compute(source, algorithm, executor, digest);
    return digest;
  }

  private static void compute(
      FileSource source,
      Digest.Algorithm algorithm,
      Executor executor,
      CompletableFuture<@Nullable Digest> digest) {
    try {
      executor.execute(
          () -> {
            try {
              digest.complete(source.digest(algorithm));
            } catch (FerryException | RuntimeException | Error e) {
              // Also an Error: the stream must end.
              digest.completeExceptionally(e);
            }
          });
    } catch (RejectedExecutionException e) {
      digest.completeExceptionally(e);
    }
  }

  /**
   * Returns the feed to send from: the given one, or one that reads it ahead.
   *
   * @param onReady runs on a worker when a next message may be available
   */
  ChunkFeed feed(ChunkFeed chunks, Runnable onReady) {
    return readers == null ? chunks : new AheadFeed(chunks, readers, onReady);
  }

  /** Returns the digest; null if none is to be sent. Called once, after the last chunk was read. */
  CompletableFuture<@Nullable Digest> afterLastChunk() {
    return digest.get();
  }

  /** Ends a computation elsewhere, since the stream is over. */
  void stop() {
    stop.run();
  }
}
