package dev.ferry.library.internal;

import dev.ferry.core.FerryException;
import dev.ferry.core.Retries;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A call on another thread, which is interrupted if its future is cancelled. */
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
      if (stopped) {
        thread.interrupt();
      }
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
      complete(result);
    }
  }

  /** Interrupts the thread of the call, which then fails. */
  synchronized void stop() {
    stopped = true;
    if (thread != null) {
      thread.interrupt();
    }
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean cancelled = super.cancel(mayInterruptIfRunning);
    if (cancelled) {
      stop();
    }
    return cancelled;
  }

  /** Stages that depend on this one are not calls. */
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
