package dev.ferry.cli.progress;

import java.util.concurrent.atomic.AtomicLong;

/** Shows the progress of several transfers in one display. Thread-safe. */
public final class SharedDisplay {
  private final ProgressDisplay display;
  private final AtomicLong done = new AtomicLong();

  /**
   * @param display shows the sum; its owner closes it
   */
  public SharedDisplay(ProgressDisplay display) {
    this.display = display;
  }

  /** Begins a transfer. */
  public ProgressDisplay begin() {
    return new One();
  }

  private final class One implements ProgressDisplay {
    private long doneBefore;
    private long total = -1;

    @Override
    public synchronized void update(long nowDone, long ofTotal) {
      long all = done.addAndGet(nowDone - doneBefore);
      doneBefore = nowDone;
      total = ofTotal;
      display.update(all, -1);
    }

    @Override
    public synchronized long done() {
      return doneBefore;
    }

    @Override
    public synchronized String percent() {
      return ProgressDisplay.percent(doneBefore, total);
    }

    @Override
    public void note(String line) {
      display.note(line);
    }

    @Override
    public void close() {}
  }
}
