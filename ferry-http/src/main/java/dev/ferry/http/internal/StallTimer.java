package dev.ferry.http.internal;

import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks now and then whether running calls have fallen silent: by one timer for all of them, which
 * ends when it finds none, because one for each would cost a small call a thread's waking.
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
   * Looks from now on as often as a call needs.
   *
   * @param nanos between two looks
   * @throws RejectedExecutionException where the timers have ended
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

  /** Ends a timer that finds nothing to look at; one that was replaced looks no more. */
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
