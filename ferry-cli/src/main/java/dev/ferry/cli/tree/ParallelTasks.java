package dev.ferry.cli.tree;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.Action;
import dev.ferry.core.internal.DaemonThreads;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs some tasks at a time, until the first of them fails. No task waits in memory. */
public final class ParallelTasks implements AutoCloseable {
  private static final int CLEAN_UP_SECONDS = 45;

  private final int most;
  private final Semaphore free;
  private final ExecutorService threads;
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

  /**
   * @param most tasks at a time, at least 1
   */
  public ParallelTasks(int most) {
    this.most = most;
    free = new Semaphore(most);
    threads = Executors.newFixedThreadPool(most, new DaemonThreads("ferry-file"));
  }

  /**
   * Begins a task as soon as a thread is free. An interrupt cancels it.
   *
   * @throws FerryException the failure of a task before
   */
  public void begin(Action<FerryException> task) throws FerryException {
    acquire(1);
    try {
      check();
    } catch (FerryException | RuntimeException e) {
      free.release();
      throw e;
    }
    threads.execute(
        () -> {
          try {
            task.run();
          } catch (FerryException | RuntimeException e) {
            failed(e);
          } catch (Error e) {
            // Such as that no thread can be started: what the task was to do is not done.
            failed(new FerryException(ErrorKind.INTERNAL, "internal error: " + e, e));
          } finally {
            free.release();
          }
        });
  }

  /** Has the tasks end with a failure, as if it were that of one of them. */
  public void failed(Exception e) {
    if (failure.compareAndSet(null, e)) {
      // Nobody waits for the others any more, which may be tried again for minutes.
      free.release(most);
    }
  }

  /**
   * Waits until all tasks have ended, or one has failed.
   *
   * @throws FerryException the failure of the first task that failed
   */
  public void await() throws FerryException {
    acquire(most);
    free.release(most);
    check();
  }

  private void acquire(int permits) throws FerryException {
    try {
      free.acquire(permits);
    } catch (InterruptedException e) {
      throw FerryException.interrupted("cancelled", e);
    }
  }

  /**
   * Throws the failure of a task.
   *
   * @throws FerryException the failure of the first task that failed
   */
  public void check() throws FerryException {
    Exception first = failure.get();
    if (first instanceof FerryException ferry) {
      throw ferry;
    }
    if (first instanceof RuntimeException other) {
      throw other;
    }
  }

  /** Cancels the tasks that still run, and waits until they have cleaned up. */
  @Override
  public void close() {
    threads.shutdownNow();
    boolean interrupted = Thread.interrupted();
    try {
      boolean unused = threads.awaitTermination(CLEAN_UP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
