package dev.ferry.cli.progress;

import dev.ferry.cli.output.Stopwatch;
import dev.ferry.core.internal.PlainText;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Shows how far the transfers of a tree are: files and bytes that are done and all that were found
 * so far, the rate, the time left, and the name of a file on its way. Thread-safe.
 */
public final class TreeProgress implements AutoCloseable {
  private final @Nullable ProgressLine line;
  private final Stopwatch stopwatch = Stopwatch.start();
  private final AtomicLong found = new AtomicLong();
  private final AtomicLong foundBytes = new AtomicLong();
  private final AtomicLong files = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private volatile boolean foundAll;
  private volatile String current = "";

  /**
   * @param line null to show nothing
   */
  TreeProgress(@Nullable ProgressLine line) {
    this.line = line;
  }

  /** Shows a line on a terminal that is redrawn, otherwise a new one every few seconds. */
  public static TreeProgress open(CommandSpec command, String name) {
    return new TreeProgress(ProgressLine.open(command, name));
  }

  /** Shows nothing. */
  public static TreeProgress none() {
    return new TreeProgress(null);
  }

  /** A file of this size is to be transferred. */
  public void found(long size) {
    found.incrementAndGet();
    foundBytes.addAndGet(size);
  }

  /** There are no more files. */
  public void foundAll() {
    foundAll = true;
  }

  /** Prints a line, if this shows something. */
  public void note(String text) {
    if (line != null) {
      line.note(text);
    }
  }

  /** Begins a transfer. Its display is closed when it is over, however it ended. */
  public ProgressDisplay begin(String name) {
    return new One(name);
  }

  /** Returns what is shown; empty if nothing is known. */
  String text(int columns) {
    return found.get() == 0
        ? ""
        : new ProgressText(columns)
            .tree(
                PlainText.of(current),
                files.get(),
                Math.max(found.get(), files.get()),
                bytes.get(),
                Math.max(foundBytes.get(), bytes.get()),
                foundAll,
                stopwatch.seconds());
  }

  @Override
  public void close() {
    if (line != null) {
      line.close();
    }
  }

  private final class One implements ProgressDisplay {
    private final String name;
    private long done;
    private long total = -1;
    private boolean closed;

    One(String name) {
      this.name = name;
    }

    @Override
    public synchronized void update(long nowDone, long ofTotal) {
      long unused = bytes.addAndGet(nowDone - done);
      done = nowDone;
      total = ofTotal;
      current = name;
      if (line != null) {
        line.show(TreeProgress.this::text);
      }
    }

    @Override
    public synchronized long done() {
      return done;
    }

    @Override
    public synchronized String percent() {
      return ProgressDisplay.percent(done, total);
    }

    @Override
    public void note(String text) {
      TreeProgress.this.note(text);
    }

    @Override
    public synchronized void close() {
      if (!closed) {
        closed = true;
        files.incrementAndGet();
      }
    }
  }
}
