package dev.ferry.net.internal;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads of a client or a server for disk access and digests, beside its event loops. */
public final class DiskWorkers {
  private static final int IDLE_SECONDS = 10;
  private static final int STOP_SECONDS = 5;

  private DiskWorkers() {}

  /**
   * Starts workers, at most four per processor.
   *
   * @param name the name of the threads
   */
  public static ExecutorService start(String name) {
    // No task waits for the network, so more threads would only wait for the disk.
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

  /** Returns the number of tasks that wait for a thread. */
  public static int queued(ExecutorService workers) {
    return workers instanceof ThreadPoolExecutor pool ? pool.getQueue().size() : 0;
  }

  /** Stops workers. Waits 5 seconds for running tasks, then interrupts them. */
  public static void stop(ExecutorService workers) {
    workers.shutdown();
    try {
      if (!workers.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
        workers.shutdownNow();
      }
    } catch (InterruptedException e) {
      workers.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
