package dev.ferry.grpc.internal;

import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** The digest of a file that is being sent. It is sent after the last chunk. */
@FunctionalInterface
interface OutgoingDigest {
  /** Returns the digest; null if none is to be sent. Called once, after the last chunk was read. */
  CompletableFuture<@Nullable Digest> afterLastChunk();

  /** No digest. */
  OutgoingDigest NONE = () -> CompletableFuture.completedFuture(null);

  /**
   * Begins to compute the digest of a file, unless the facts of the file include it. Call this
   * before the first chunk is read. Closing the source stops the computation.
   *
   * @param algorithm CRC-32C is computed by the threads that read chunks, SHA-256 by another one;
   *     null for no digest
   */
  static OutgoingDigest of(
      FileSource source, Digest.@Nullable Algorithm algorithm, Executor executor) {
    if (algorithm == null) {
      return NONE;
    }
    Digest known = source.facts().digest(algorithm);
    if (known != null) {
      return () -> CompletableFuture.completedFuture(known);
    }
    if (algorithm == Digest.Algorithm.CRC32C) {
      source.computeWhileReading();
      return () -> compute(source, algorithm, Runnable::run);
    }
    CompletableFuture<@Nullable Digest> digest = compute(source, algorithm, executor);
    return () -> digest;
  }

  private static CompletableFuture<@Nullable Digest> compute(
      FileSource source, Digest.Algorithm algorithm, Executor executor) {
    CompletableFuture<@Nullable Digest> digest = new CompletableFuture<>();
    try {
      executor.execute(
          () -> {
            try {
              digest.complete(source.digest(algorithm));
            } catch (FerryException | RuntimeException e) {
              digest.completeExceptionally(e);
            }
          });
    } catch (RejectedExecutionException e) {
      digest.completeExceptionally(e);
    }
    return digest;
  }
}
