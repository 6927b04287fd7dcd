package dev.ferry.cli.progress;

import dev.ferry.cli.program.TerminalLine;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;

/** A progress bar that is redrawn in place and removed at the end. */
final class ProgressBarDisplay implements ProgressDisplay {
  private static final int REDRAW_MILLIS = 200;
  private static final long BYTES_PER_MB = 1_000_000;

  private final String label;
  private @Nullable ProgressBar bar;
  private boolean closed;

  ProgressBarDisplay(String label) {
    this.label = label;
  }

  /** The bar appears with the first bytes, so that it is not in the way of a question. */
  private @Nullable ProgressBar bar() {
    if (bar == null && !closed) {
      bar =
          TerminalLine.progressBar()
              .setTaskName(label)
              .setInitialMax(-1)
              .setUnit(" MB", BYTES_PER_MB)
              .setUpdateIntervalMillis(REDRAW_MILLIS)
              .showSpeed()
              .build();
    }
    return bar;
  }

  @Override
  public synchronized void update(long done, long total) {
    ProgressBar shown = bar();
    if (shown != null) {
      shown.maxHint(total);
      shown.stepTo(done);
    }
  }

  @Override
  public synchronized long done() {
    return bar == null ? 0 : bar.getCurrent();
  }

  @Override
  public synchronized String percent() {
    return bar == null ? "" : ProgressDisplay.percent(bar.getCurrent(), bar.getMax());
  }

  @Override
  public void note(String line) {
    TerminalLine.print(line);
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (bar != null) {
      TerminalLine.end(bar);
    }
  }
}
