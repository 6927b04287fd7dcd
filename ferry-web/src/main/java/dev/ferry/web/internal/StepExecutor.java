package dev.ferry.web.internal;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Runs the steps of a call on its connection's event loop, where a step costs no switch of threads,
 * until the first that takes long there, for instance because the disk is slow: from then on
 * workers run them, and the loop is free for its other connections.
 *
 * <p>An executor that is closing runs a step on the calling thread: the call has to let go of what
 * it holds.
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
