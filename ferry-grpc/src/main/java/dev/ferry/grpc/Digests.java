package dev.ferry.grpc;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.core.Sha256;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Digests that are computed beside a transfer. */
final class Digests {
  private Digests() {}

  /** Threads for digests and other work that must not hold up an event loop. */
  static ExecutorService newExecutor(String name) {
    return Executors.newCachedThreadPool(
        task -> {
          Thread thread = new Thread(task, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  /** Reads a file for its digest while it is being sent; closing the file ends that early. */
  static CompletableFuture<@Nullable Sha256> compute(FileSource source, Executor executor) {
    CompletableFuture<@Nullable Sha256> digest = new CompletableFuture<>();
    executor.execute(
        () -> {
          try {
            digest.complete(source.sha256());
          } catch (FerryException | RuntimeException e) {
            digest.completeExceptionally(e);
          }
        });
    return digest;
  }
}
