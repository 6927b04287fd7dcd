package dev.ferry.cli.operate;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Measures once a second how long a task waits for its turn on an event loop. Thread-safe. */
final class LoopDelay {
  private static final long PERIOD = TimeUnit.SECONDS.toNanos(1);

  private final ScheduledExecutorService loop;
  private volatile long due;
  private volatile long last;

  private LoopDelay(ScheduledExecutorService loop) {
    this.loop = loop;
  }

  /** Starts to measure, until the event loop ends. */
  static LoopDelay start(ScheduledExecutorService loop) {
    LoopDelay delay = new LoopDelay(loop);
    delay.schedule();
    return delay;
  }

  private void schedule() {
    due = System.nanoTime() + PERIOD;
    loop.schedule(this::arrived, PERIOD, TimeUnit.NANOSECONDS);
  }

  private void arrived() {
    last = Math.max(0, System.nanoTime() - due);
    if (!loop.isShutdown()) {
      schedule();
    }
  }

  /** Returns the last delay in ns, or that of a task that waits now if it is longer. */
  long nanos() {
    return Math.max(last, System.nanoTime() - due);
  }
}
