package dev.ferry.wire.internal;

import dev.ferry.core.FileStore;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads of a client or a server for files and digests, beside its event loops. */
public final class DiskWorkers {
  /**
   * Most threads that wait for a remote store. Each has a stack of which it touches some ten KiB.
   */
  private static final int REMOTE_THREADS = 256;

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
    return start(name, 4 * Runtime.getRuntime().availableProcessors());
  }

  /**
   * Starts workers that end after some idle seconds.
   *
   * @param name the name of the threads
   * @param threads at most, at least 1
   */
  public static ThreadPoolExecutor start(String name, int threads) {
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
   * Starts the workers of a server, for the tasks of {@link #start(String)} and for the calls of
   * its store: at most {@value #REMOTE_THREADS} if the store is remote.
   *
   * @param name the name of the threads
   */
  public static ExecutorService start(String name, FileStore store) {
    if (!store.isRemote()) {
      return start(name);
    }
    LinkedTransferQueue<Runnable> waiting =
        new LinkedTransferQueue<>() {
          /** Fails unless a thread is idle, so that the pool starts another one. */
          @Override
          public boolean offer(Runnable task) {
            return tryTransfer(task);
          }
        };
    return new ThreadPoolExecutor(
        0,
        REMOTE_THREADS,
        IDLE_SECONDS,
        TimeUnit.SECONDS,
        waiting,
        new DefaultThreadFactory(name, true),
        (task, pool) -> {
          // All threads are busy, or the pool was shut down.
          if (pool.isShutdown()) {
            throw new RejectedExecutionException("the server is closing");
          }
          waiting.put(task);
        });
  }

  /** Returns the number of tasks that wait for a thread. */
  public static int queued(ExecutorService workers) {
    return workers instanceof ThreadPoolExecutor pool ? pool.getQueue().size() : 0;
  }

  /** Stops workers. Waits 5 seconds for their tasks, then {@linkplain #stopNow interrupts} them. */
  public static void stop(ExecutorService workers) {
    workers.shutdown();
    try {
      if (!workers.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
        stopNow(workers);
      }
    } catch (InterruptedException e) {
      stopNow(workers);
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Stops workers and interrupts running tasks. Those that wait run one after another on a thread
   * of their own, since they may close files.
   */
  public static void stopNow(ExecutorService workers) {
    List<Runnable> waiting = workers.shutdownNow();
    if (!waiting.isEmpty()) {
      ExecutorService last =
          Executors.newSingleThreadExecutor(new DefaultThreadFactory("ferry-last-tasks", true));
      waiting.forEach(last::execute);
      last.shutdown();
    }
  }
}
