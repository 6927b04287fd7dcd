package dev.ferry.http.internal;

import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Checks periodically whether running calls have stalled. All calls share one timer, which stops
 * when there are no calls. A timer per call would cost a small call the wake-up of a thread.
 * Thread-safe.
 */
public final class StallTimer {
  private final ScheduledExecutorService timers;
  private final Set<Call> running;
  private @Nullable ScheduledFuture<?> timer;
  private long period;

  public StallTimer(ScheduledExecutorService timers, Set<Call> running) {
    this.timers = timers;
    this.running = running;
  }

  /**
   * Ensures that calls are checked at least this often.
   *
   * @param nanos the interval in nanoseconds
   * @throws RejectedExecutionException if the timers have been shut down
   */
  public synchronized void every(long nanos) {
    if (timer != null && period <= nanos) {
      return;
    }
    if (timer != null) {
      timer.cancel(false);
    }
    period = nanos;
    timer = timers.scheduleWithFixedDelay(() -> look(nanos), nanos, nanos, TimeUnit.NANOSECONDS);
  }

  private void look(long since) {
    if (goesOn(since)) {
      running.forEach(call -> call.look(since));
    }
  }

  /**
   * Returns whether the timer with this interval is current. Stops the timer if there are no calls.
   */
  private synchronized boolean goesOn(long nanos) {
    if (timer == null || nanos != period) {
      return false;
    }
    if (running.isEmpty()) {
      timer.cancel(false);
      timer = null;
    }
    return timer != null;
  }
}
