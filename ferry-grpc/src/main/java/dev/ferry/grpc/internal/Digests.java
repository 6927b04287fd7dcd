package dev.ferry.grpc.internal;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.core.Sha256;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Computes digests in parallel with a transfer. */
final class Digests {
  private Digests() {}

  /**
   * Computes the digest of a file while the file is being sent. Closing the source stops the
   * computation.
   */
  static CompletableFuture<@Nullable Sha256> compute(FileSource source, Executor executor) {
    CompletableFuture<@Nullable Sha256> digest = new CompletableFuture<>();
    try {
      executor.execute(
          () -> {
            try {
              digest.complete(source.sha256());
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
