package dev.ferry.cli.tree;

import dev.ferry.core.ByteSize;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what a copy of a tree came to. Thread-safe. */
public final class TreeTotals {
  private final AtomicLong files = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong unchanged = new AtomicLong();
  private final AtomicLong skipped = new AtomicLong();

  /** A file of this size was transferred. */
  public void transferred(long size) {
    files.incrementAndGet();
    bytes.addAndGet(size);
  }

  /** A file was equal already. */
  public void unchanged() {
    unchanged.incrementAndGet();
  }

  /** A file was left alone. */
  public void skipped() {
    skipped.incrementAndGet();
  }

  /** Files that were transferred. */
  public long files() {
    return files.get();
  }

  /** Their bytes. */
  public long bytes() {
    return bytes.get();
  }

  /** Files that were equal already. */
  public long unchangedFiles() {
    return unchanged.get();
  }

  /** For instance {@code 12 files, 34.1 MB in 2.10 s; 3 unchanged, 0 left alone}. */
  public String text(double seconds) {
    return String.format(
        Locale.ROOT,
        "%d file%s, %s in %.2f s; %d unchanged, %d left alone",
        files.get(),
        files.get() == 1 ? "" : "s",
        ByteSize.amount(bytes.get()),
        seconds,
        unchanged.get(),
        skipped.get());
  }
}
