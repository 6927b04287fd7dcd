package dev.ferry.library.internal;

import dev.ferry.core.FerryException;
import dev.ferry.core.Retries;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A call on another thread, which is interrupted if its future is cancelled or completed in another
 * way, such as by {@link #orTimeout}.
 */
final class StartedCall<T> extends CompletableFuture<T> implements Runnable {
  private static final int PAUSE_MILLIS = 10;

  // The lock of this object guards the following.
  private Retries.@Nullable Call<T> call;
  private @Nullable Thread thread;
  private boolean stopped;

  StartedCall(Retries.Call<T> call) {
    this.call = call;
  }

  @Override
  public void run() {
    Retries.@Nullable Call<T> begins;
    synchronized (this) {
      begins = call;
      // The future may be kept for longer than what it sends.
      call = null;
      if (begins == null || isDone()) {
        return;
      }
      thread = Thread.currentThread();
    }
    T result = null;
    Throwable failure = null;
    try {
      result = begins.run();
    } catch (FerryException | RuntimeException | Error e) {
      failure = e;
    }
    synchronized (this) {
      thread = null;
      if (stopped) {
        // The thread may run other tasks of an executor that is not ours.
        boolean unused = Thread.interrupted();
      }
    }
    while (!end(result, failure)) {
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        // To end it is all that is left to do.
        continue;
      }
    }
  }

  /**
   * Completes the future.
   *
   * @return false if there is no memory for that, which other calls free when they end
   */
  private boolean end(@Nullable T result, @Nullable Throwable failure) {
    try {
      if (failure == null) {
        complete(Objects.requireNonNull(result));
      } else {
        completeExceptionally(failure);
      }
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  /** Interrupts the thread of the call, which then fails. */
  private synchronized void stop() {
    stopped = true;
    if (thread != null) {
      thread.interrupt();
    }
  }

  private boolean stopIf(boolean completed) {
    if (completed) {
      stop();
    }
    return completed;
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    return stopIf(super.cancel(mayInterruptIfRunning));
  }

  @Override
  public boolean complete(T value) {
    return stopIf(super.complete(value));
  }

  @Override
  public boolean completeExceptionally(Throwable failure) {
    return stopIf(super.completeExceptionally(failure));
  }

  /** Stages that depend on this one are not calls. */
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
