package dev.ferry.cli;

import dev.ferry.core.ByteSize;
import java.io.PrintWriter;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A line for every further tenth of the file, once a second at most, and one every ten seconds
 * where it goes slower than that. A transfer of less than a second prints none.
 */
final class ProgressLines implements ProgressDisplay {
  private static final int LOOKS_WITHOUT_LINE = 10;

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
  // The rest is the looking thread's own.
  private long lastTenth;
  private int looksSinceLine;

  ProgressLines(String label, PrintWriter err) {
    this.label = label;
    this.err = err;
  }

  /** Begins to look once a second. */
  ProgressLines start() {
    timer.scheduleAtFixedRate(this::look, 1, 1, TimeUnit.SECONDS);
    return this;
  }

  @Override
  public void update(long newDone, long newTotal) {
    done = newDone;
    total = newTotal;
  }

  /** Prints a line if there is something new to say. */
  void look() {
    long now = done;
    long of = total;
    long tenth = of > 0 ? (long) (10.0 * (double) now / (double) of) : 0;
    looksSinceLine++;
    if (tenth <= lastTenth && looksSinceLine < LOOKS_WITHOUT_LINE) {
      return;
    }
    lastTenth = tenth;
    looksSinceLine = 0;
    err.println(
        label
            + " "
            + ByteSize.megabytes((double) now)
            + (of > 0
                ? " of "
                    + ByteSize.megabytes((double) of)
                    + " ("
                    + (long) (100.0 * (double) now / (double) of)
                    + " %)"
                : ""));
    err.flush();
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
