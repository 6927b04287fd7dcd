package dev.ferry.cli.progress;

import dev.ferry.cli.output.Stopwatch;
import dev.ferry.core.ByteSize;

/** Shows how far the transfer of one file is. */
final class FileProgress implements ProgressDisplay {
  private final ProgressLine line;
  private final String name;
  private final Stopwatch stopwatch = Stopwatch.start();
  private volatile long done;
  private volatile long total = -1;

  /** What was there before the first bytes of this command. */
  private volatile long before;

  /**
   * @param line the display closes it
   */
  FileProgress(ProgressLine line, String name) {
    this.line = line;
    this.name = name;
  }

  /** The line appears with the first bytes, so that it is not in the way of a question. */
  @Override
  public void update(long newDone, long newTotal) {
    boolean first = total < 0 && done == 0;
    if (first || newDone < before) {
      // It begins, or begins anew.
      before = newDone;
    }
    done = newDone;
    total = newTotal;
    if (first) {
      line.show(this::text);
    }
  }

  /** Returns what is shown; empty if nothing is known. */
  String text(int columns) {
    long now = done;
    long of = total;
    if (now == 0 && of < 0) {
      return "";
    }
    if (line.isRedrawn()) {
      return new ProgressText(columns).file(name, now, of, before, stopwatch.seconds());
    }
    String reached = ByteSize.megabytes((double) now);
    return of > 0
        ? "%s of %s (%s)"
            .formatted(reached, ByteSize.megabytes((double) of), ProgressDisplay.percent(now, of))
        : reached;
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
  public void note(String text) {
    line.note(text);
  }

  @Override
  public void close() {
    line.close();
  }
}
