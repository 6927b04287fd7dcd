package dev.ferry.wire.internal;

import dev.ferry.core.FileStore;
import dev.ferry.core.internal.CallerShares;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a client or a server for files and digests, beside its event loops.
 *
 * <p>Callers take turns: the tasks of each wait in a queue of its own, and a thread that is free
 * takes one of the caller that has waited longest for its turn. No caller has more threads than its
 * {@linkplain CallerShares share}, so the first task of another one seldom waits. Thread-safe.
 */
public final class DiskWorkers implements Executor {
  /**
   * Most threads that wait for a remote store. Each has a stack of which it touches some ten KiB.
   */
  private static final int REMOTE_THREADS = 256;

  private static final int IDLE_SECONDS = 10;
  private static final int STOP_SECONDS = 5;

  private final ThreadPoolExecutor pool;
  private final CallerShares threads;

  /**
   * The tasks that wait, by their holders and in the order of their numbers, so that each can be
   * removed in little time. The next turn is that of the first holder.
   */
  private final Map<String, NavigableMap<Long, Runnable>> waiting = new LinkedHashMap<>();

  private long number;
  private int queued;
  private boolean stopped;

  /** A task whose thread was taken from the share of its holder. */
  private record Turn(String holder, long number, Runnable task) {}

  private DiskWorkers(ThreadPoolExecutor pool, int threads) {
    this.pool = pool;
    this.threads = new CallerShares(threads);
  }

  /**
   * Starts workers, at most four per processor.
   *
   * @param name the name of the threads
   */
  public static DiskWorkers start(String name) {
    return start(name, threadsOfOne());
  }

  /** No task waits for the network, so more threads would only wait for the disk. */
  private static int threadsOfOne() {
    return 4 * Runtime.getRuntime().availableProcessors();
  }

  /**
   * Starts workers that end after some idle seconds.
   *
   * @param name the name of the threads
   * @param threads at most, at least 1
   */
  public static DiskWorkers start(String name, int threads) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new DefaultThreadFactory(name, true));
    pool.allowCoreThreadTimeOut(true);
    return new DiskWorkers(pool, threads);
  }

  /**
   * Starts the workers of a server, for the tasks of {@link #start(String)} and for the calls of
   * its store: at most {@value #REMOTE_THREADS} if the store is remote. A caller has half of them.
   *
   * @param name the name of the threads
   */
  public static DiskWorkers start(String name, FileStore store) {
    return store.isRemote() ? startRemote(name) : start(name, 2 * threadsOfOne());
  }

  /** A thread is started only if none is idle. */
  private static DiskWorkers startRemote(String name) {
    return new DiskWorkers(
        new ThreadPoolExecutor(
            0,
            // The shares limit them.
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            new DefaultThreadFactory(name, true)),
        REMOTE_THREADS);
  }

  /** Returns what runs the tasks of one holder, in order and in turn with those of others. */
  public Executor of(String holder) {
    return task -> add(holder, task);
  }

  /** Runs a task that belongs to no caller, in turn with those of others. */
  @Override
  public void execute(Runnable task) {
    long unused = add(CallerShares.NOBODY, task);
  }

  /** Takes no more tasks. Those that it has are run. */
  synchronized void refuse() {
    stopped = true;
  }

  /** Runs a task in the turn of a holder. Returns its number, for {@link #remove}. */
  synchronized long add(String holder, Runnable task) {
    if (stopped) {
      throw new RejectedExecutionException("the server is closing");
    }
    long added = number++;
    put(holder, added, task);
    startNext();
    return added;
  }

  private void put(String holder, long number, Runnable task) {
    waiting.computeIfAbsent(holder, key -> new TreeMap<>()).put(number, task);
    queued++;
  }

  /** Removes a task that waits, if it still does. */
  synchronized void remove(String holder, long number) {
    Map<Long, Runnable> tasks = waiting.get(holder);
    if (tasks != null && tasks.remove(number) != null) {
      queued--;
      if (tasks.isEmpty()) {
        waiting.remove(holder);
      }
    }
  }

  /** Has threads begin with all whose turn it is. */
  private void startNext() {
    for (Turn turn = next(); turn != null; turn = next()) {
      Turn first = turn;
      try {
        pool.execute(() -> work(first));
      } catch (OutOfMemoryError e) {
        // There is no memory for another thread. One that runs goes on with the task.
        threads.giveBack(first.holder(), 1);
        if (threads.left() == threads.all()) {
          throw e;
        }
        put(first.holder(), first.number(), first.task());
        return;
      }
    }
  }

  private @Nullable Turn next() {
    if (queued == 0 || threads.left() == 0) {
      return null;
    }
    Iterator<Map.Entry<String, NavigableMap<Long, Runnable>>> holders =
        waiting.entrySet().iterator();
    while (holders.hasNext()) {
      Map.Entry<String, NavigableMap<Long, Runnable>> entry = holders.next();
      String holder = entry.getKey();
      if (threads.take(holder, 1)) {
        NavigableMap<Long, Runnable> tasks = entry.getValue();
        Map.Entry<Long, Runnable> first = tasks.firstEntry();
        tasks.remove(first.getKey());
        queued--;
        holders.remove();
        if (!tasks.isEmpty()) {
          // To the end.
          waiting.put(holder, tasks);
        }
        return new Turn(holder, first.getKey(), first.getValue());
      }
    }
    return null;
  }

  private void work(Turn first) {
    for (Turn turn = first; turn != null; turn = after(turn)) {
      try {
        turn.task().run();
      } catch (RuntimeException | Error e) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
      }
      if (Thread.interrupted() && pool.isShutdown()) {
        // An interrupt of this task alone is not for the next one.
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Ends a turn. Returns the next one for the same thread. */
  private synchronized @Nullable Turn after(Turn ended) {
    threads.giveBack(ended.holder(), 1);
    Turn next = next();
    if (threads.left() == threads.all()) {
      notifyAll();
    }
    return next;
  }

  /** Returns the number of tasks that wait for a thread. */
  public synchronized int queued() {
    return queued;
  }

  /** Stops workers. Waits 5 seconds for their tasks, then {@linkplain #stopNow interrupts} them. */
  public void stop() {
    boolean interrupted = false;
    try {
      awaitAll();
    } catch (InterruptedException e) {
      interrupted = true;
    }
    stopNow();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void awaitAll() throws InterruptedException {
    stopped = true;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_SECONDS);
    while (queued > 0 || threads.left() < threads.all()) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        return;
      }
      wait(left);
    }
  }

  /**
   * Stops workers and interrupts running tasks. Those that wait run one after another on a thread
   * of their own, since they may close files.
   */
  public void stopNow() {
    List<Runnable> last = new ArrayList<>();
    synchronized (this) {
      stopped = true;
      waiting.values().forEach(tasks -> last.addAll(tasks.values()));
      waiting.clear();
      queued = 0;
    }
    last.addAll(pool.shutdownNow());
    if (!last.isEmpty()) {
      ExecutorService thread =
          Executors.newSingleThreadExecutor(new DefaultThreadFactory("ferry-last-tasks", true));
      last.forEach(thread::execute);
      thread.shutdown();
    }
  }
}
