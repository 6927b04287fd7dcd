package dev.ferry.grpc.internal;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.core.Sha256;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Computes digests in parallel with a transfer. */
final class Digests {
  private static final int IDLE_SECONDS = 10;

  private Digests() {}

  /** Creates the threads for digests and other work that must not block an event loop. */
  static ExecutorService newExecutor(String name) {
    // The tasks read from disk and compute. More threads would only wait for disk or CPU.
    int threads = 4 * Runtime.getRuntime().availableProcessors();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new DefaultThreadFactory(name, true));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

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
