package dev.ferry.cli.progress;

/** Shows nothing, and keeps count. */
final class NoDisplay implements ProgressDisplay {
  private volatile long done;
  private volatile long total = -1;

  @Override
  public void update(long newDone, long newTotal) {
    done = newDone;
    total = newTotal;
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
  public void note(String line) {}

  @Override
  public void close() {}
}
