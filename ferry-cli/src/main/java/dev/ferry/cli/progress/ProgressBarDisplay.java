package dev.ferry.cli.progress;

import dev.ferry.cli.program.TerminalLine;
import me.tongfei.progressbar.ProgressBar;

/** A progress bar that is redrawn in place and removed at the end. */
final class ProgressBarDisplay implements ProgressDisplay {
  private static final int REDRAW_MILLIS = 200;
  private static final long BYTES_PER_MB = 1_000_000;

  private final ProgressBar bar;

  ProgressBarDisplay(String label) {
    bar =
        TerminalLine.progressBar()
            .setTaskName(label)
            .setInitialMax(-1)
            .setUnit(" MB", BYTES_PER_MB)
            .setUpdateIntervalMillis(REDRAW_MILLIS)
            .showSpeed()
            .build();
  }

  @Override
  public void update(long done, long total) {
    bar.maxHint(total);
    bar.stepTo(done);
  }

  @Override
  public long done() {
    return bar.getCurrent();
  }

  @Override
  public String percent() {
    return ProgressDisplay.percent(bar.getCurrent(), bar.getMax());
  }

  @Override
  public void note(String line) {
    TerminalLine.print(line);
  }

  @Override
  public void close() {
    TerminalLine.end(bar);
  }
}
