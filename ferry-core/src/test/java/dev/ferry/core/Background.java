package dev.ferry.core;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** A call on a thread of its own that must return, one way or the other, within a minute. */
public final class Background<T> {
  private static final long PATIENCE_SECONDS = 240;

  private final FutureTask<T> task;
  private final Thread thread;

  private Background(Callable<T> call) {
    task = new FutureTask<>(call);
    thread = new Thread(task, "background");
    thread.setDaemon(true);
  }

  /** Starts a call. */
  public static <T> Background<T> start(Callable<T> call) {
    Background<T> background = new Background<>(call);
    background.thread.start();
    return background;
  }

  /** Interrupts the calling thread. */
  public void interrupt() {
    thread.interrupt();
  }

  /** Whether the call has returned or failed. */
  public boolean isDone() {
    return task.isDone();
  }

  /** The call's result, or its failure. */
  public T result() throws Exception {
    try {
      return task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** The failure that the call must end with. */
  public FerryException failure() throws Exception {
    try {
      T result = task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      throw new AssertionError("expected a failure, got " + result);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof FerryException failure) {
        return failure;
      }
      throw e;
    }
  }
}
