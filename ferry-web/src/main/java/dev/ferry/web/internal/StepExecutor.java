package dev.ferry.web.internal;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Runs the steps of a call on the event loop of its connection, which needs no thread switch. If a
 * step takes long, for instance because the disk is slow, all later steps run on workers, and the
 * event loop is free for its other connections.
 *
 * <p>If the executor is shutting down, the step runs on the calling thread, because the call has to
 * release its resources.
 */
final class StepExecutor implements Executor {
  private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Executor loop;
  private final Executor workers;
  private final LongSupplier nanoClock;
  private volatile boolean slow;

  StepExecutor(Executor loop, Executor workers) {
    this(loop, workers, System::nanoTime);
  }

  StepExecutor(Executor loop, Executor workers, LongSupplier nanoClock) {
    this.loop = loop;
    this.workers = workers;
    this.nanoClock = nanoClock;
  }

  /** Runs all steps on workers, because each may wait for a network. */
  static Executor of(Executor workers) {
    return new StepExecutor(workers, workers);
  }

  @Override
  public void execute(Runnable step) {
    try {
      if (slow) {
        workers.execute(step);
      } else {
        loop.execute(() -> time(step));
      }
    } catch (RejectedExecutionException e) {
      step.run();
    }
  }

  private void time(Runnable step) {
    long begun = nanoClock.getAsLong();
    step.run();
    slow = slow || nanoClock.getAsLong() - begun > LONG_NANOS;
  }
}
