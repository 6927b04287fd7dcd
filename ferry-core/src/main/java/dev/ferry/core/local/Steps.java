package dev.ferry.core.local;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.Action;
import dev.ferry.core.internal.DaemonThreads;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Steps of a call that run at the same time, each on a thread of its own. Thread-safe. */
final class Steps implements AutoCloseable {
  private static final int END_SECONDS = 10;

  private final String name;
  private final ExecutorService threads;
  private final CompletionService<Boolean> ended;
  private int begun;
  private int awaited;
  private boolean closed;

  /**
   * @param name the file, for messages and names of threads
   */
  Steps(String name) {
    this.name = name;
    this.threads = Executors.newCachedThreadPool(new DaemonThreads("ferry-part of " + name));
    this.ended = new ExecutorCompletionService<>(threads);
  }

  /**
   * Begins a step.
   *
   * @throws FerryException with {@link ErrorKind#CANCELLED} after {@link #close}
   */
  synchronized void begin(Action<FerryException> step) throws FerryException {
    requireOpen();
    begun++;
    Future<Boolean> unused =
        ended.submit(
            () -> {
              step.run();
              return true;
            });
  }

  /** Runs a step on this thread. A programming error is a failure, as on other threads. */
  void run(Action<FerryException> step) throws FerryException {
    try {
      step.run();
    } catch (RuntimeException e) {
      throw internal(e);
    }
  }

  private FerryException internal(@Nullable Throwable cause) {
    return new FerryException(ErrorKind.INTERNAL, name + ": " + cause, cause);
  }

  private synchronized int begun() {
    return begun;
  }

  /**
   * Throws if the steps were ended.
   *
   * @throws FerryException with {@link ErrorKind#CANCELLED}
   */
  synchronized void requireOpen() throws FerryException {
    if (closed) {
      throw new FerryException(ErrorKind.CANCELLED, name + ": cancelled");
    }
  }

  /**
   * Waits until all steps have ended, with those that steps began. Called again after a failure, it
   * waits for the others. One thread at a time.
   *
   * @param nanos maximum time to wait; 0 for no limit
   * @throws FerryException the first failure of a step; the others go on until {@link #close}
   * @throws TimeoutException if the time is over
   */
  void await(long nanos) throws FerryException, TimeoutException {
    long deadline = System.nanoTime() + nanos;
    try {
      while (awaited < begun()) {
        Future<Boolean> step =
            nanos == 0
                ? ended.take()
                : ended.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (step == null) {
          throw new TimeoutException();
        }
        awaited++;
        step.get();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof FerryException failure ? failure : internal(e.getCause());
    } catch (InterruptedException e) {
      throw FerryException.interrupted(name + ": cancelled", e);
    }
  }

  /** Interrupts the steps that still run. No further ones begin. */
  void end() {
    synchronized (this) {
      closed = true;
    }
    threads.shutdownNow();
  }

  /** {@linkplain #end Ends} the steps, and waits for them, at most ten seconds. */
  @Override
  public void close() {
    end();
    boolean interrupted = Thread.interrupted();
    try {
      boolean unused = threads.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
