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

/** Digests that are computed beside a transfer. */
final class Digests {
  private static final int IDLE_SECONDS = 10;

  private Digests() {}

  /** Threads for digests and other work that must not hold up an event loop. */
  static ExecutorService newExecutor(String name) {
    // They read from disk and compute: more threads than this would only queue there.
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

  /** Reads a file for its digest while it is being sent; closing the file ends that early. */
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
