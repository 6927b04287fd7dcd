package dev.ferry.cli.progress;

import dev.ferry.core.ByteSize;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Prints a progress line every few seconds, in the units of the bar and the summary. Shorter
 * transfers print nothing.
 */
final class ProgressLines implements ProgressDisplay {
  private static final Duration PERIOD = Duration.ofSeconds(5);

  private final String label;
  private final PrintWriter err;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "ferry-progress");
            thread.setDaemon(true);
            return thread;
          });

  private volatile long done;
  private volatile long total = -1;

  ProgressLines(String label, PrintWriter err) {
    this.label = label;
    this.err = err;
  }

  /** Starts printing. */
  ProgressLines start() {
    return start(PERIOD);
  }

  /** Starts printing, once per period. */
  ProgressLines start(Duration period) {
    timer.scheduleAtFixedRate(
        this::print, period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
    return this;
  }

  @Override
  public void update(long newDone, long newTotal) {
    done = newDone;
    total = newTotal;
  }

  /** Prints the progress, once it is known. */
  void print() {
    long now = done;
    long of = total;
    if (now == 0 && of < 0) {
      return;
    }
    err.println(
        label
            + " "
            + ByteSize.megabytes((double) now)
            + (of > 0
                ? " of "
                    + ByteSize.megabytes((double) of)
                    + " ("
                    + ProgressDisplay.percent(now, of)
                    + ")"
                : ""));
    err.flush();
  }

  @Override
  public long done() {
    return done;
  }

  @Override
  public String percent() {
    return ProgressDisplay.percent(done, total);
  }

  @Override
  public void note(String line) {
    err.println(line);
    err.flush();
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
