package dev.ferry.lab.model;

import com.fasterxml.jackson.annotation.JsonAlias;
import dev.ferry.lab.model.RunDocument.Settings;
import java.util.Locale;

/**
 * What a sample of a row or a ceiling does, where it is not to move the run's own file once.
 *
 * @param fileBytes size of each file; 0 for calls, which move none
 * @param operations of a sample, at least 1; its time and all else is shared out among them
 * @param atOnce files that are moved at the same time and are one operation together; with more
 *     than 1 a sample is one operation
 * @param workers threads that share the operations; 1 does one after the other
 */
public record Load(long fileBytes, @JsonAlias("inTurn") int operations, int atOnce, int workers) {
  /** From here on there are half of the samples: each takes most of a second with its check. */
  private static final long LARGE_BYTES = 1L << 28;

  /** From here on there is a third: each takes seconds. */
  private static final long HUGE_BYTES = 1L << 30;

  public Load {
    // Runs of older versions have no workers.
    workers = Math.max(1, workers);
    if (fileBytes < 0
        || operations < 1
        || atOnce < 1
        || (atOnce > 1 && (operations > 1 || workers > 1 || fileBytes == 0))
        || workers > operations) {
      throw new IllegalArgumentException(
          "no load: %d bytes, %d operations, %d at once, %d workers"
              .formatted(fileBytes, operations, atOnce, workers));
    }
  }

  /**
   * Files without workers: in turn, or at once.
   *
   * @param fileBytes size of each, at least 1
   */
  public static Load files(long fileBytes, int inTurn, int atOnce) {
    if (fileBytes < 1) {
      throw new IllegalArgumentException("files of " + fileBytes + " bytes");
    }
    return new Load(fileBytes, inTurn, atOnce, 1);
  }

  /** Calls, one after the other or by some workers at the same time. */
  public static Load calls(int operations, int workers) {
    return new Load(0, operations, 1, workers);
  }

  /** Whether files are moved, and not calls made. */
  public boolean movesFiles() {
    return fileBytes > 0;
  }

  /** Files of a sample. */
  public int files() {
    return movesFiles() ? operations * atOnce : 0;
  }

  /** Bytes of the files of a sample. */
  public long bytes() {
    return fileBytes * files();
  }

  /** Bytes of the files of an operation. */
  public long operationBytes() {
    return fileBytes * atOnce;
  }

  /** What a profile means for this load: fewer samples and a shorter warm-up where it is large. */
  public Settings of(Settings settings) {
    if (bytes() < LARGE_BYTES) {
      return settings;
    }
    return settings.share(bytes() < HUGE_BYTES ? 2 : 3).withWarmupOperations(1);
  }

  /** For instance {@code 64 files of 25,060,966 bytes at once}. */
  @Override
  public String toString() {
    int count = movesFiles() ? files() : operations;
    return String.format(
        Locale.ROOT,
        "%,d %s%s%s%s",
        count,
        movesFiles() ? "file" : "call",
        count == 1 ? "" : "s",
        movesFiles() ? String.format(Locale.ROOT, " of %,d bytes", fileBytes) : "",
        workers > 1
            ? " by " + workers + " workers"
            : operations > 1 ? " in turn" : atOnce > 1 ? " at once" : "");
  }
}
