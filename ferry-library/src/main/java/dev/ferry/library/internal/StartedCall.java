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
  private final Retries.Call<T> call;

  // The lock of this object guards the following.
  private @Nullable Thread thread;
  private boolean stopped;

  StartedCall(Retries.Call<T> call) {
    this.call = call;
  }

  @Override
  public void run() {
    synchronized (this) {
      if (isDone()) {
        return;
      }
      thread = Thread.currentThread();
    }
    T result = null;
    Throwable failure = null;
    try {
      result = call.run();
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
    if (failure != null) {
      completeExceptionally(failure);
    } else {
      complete(Objects.requireNonNull(result));
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
