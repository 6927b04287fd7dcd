package dev.ferry.lab.ceiling;

import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The targets of one work: a fresh name each time, remembered from one check to the next. Used by
 * one thread at a time, but for {@link #of}.
 */
final class FreshFiles {
  private final Path folder;
  private final int work;
  private long first = 1;
  private long last;

  /**
   * Begins with none.
   *
   * @param work tells the targets of works at the same time apart
   */
  FreshFiles(Path folder, int work) {
    this.folder = folder;
    this.work = work;
  }

  /** Forgets the targets so far. */
  void prepare() {
    first = last + 1;
  }

  /** The number of a new target. */
  long next() {
    return ++last;
  }

  /** The target of a number. */
  FreshFile of(long number) {
    // A fork that was killed may have left its last target: never meet it again.
    return new FreshFile(
        folder.resolve("ceiling-" + ProcessHandle.current().pid() + "-" + work + "-" + number));
  }

  /** Compares every target since {@link #prepare} with the source, and deletes it. */
  void check(Workplace workplace) throws IOException {
    if (last < first) {
      throw new IOException("nothing was moved");
    }
    for (long number = first; number <= last; number++) {
      of(number).check(workplace);
    }
  }
}
