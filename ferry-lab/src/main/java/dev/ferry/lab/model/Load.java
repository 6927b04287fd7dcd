package dev.ferry.lab.model;

import dev.ferry.lab.model.RunDocument.Settings;
import java.util.Locale;

/**
 * What a sample of a row or a ceiling moves, where it is not the run's own file once. One of the
 * two counts is 1.
 *
 * @param fileBytes size of each file, at least 1
 * @param inTurn transfers of a sample one after another; each of them is an operation
 * @param atOnce transfers at the same time; all together are one operation
 */
public record Load(long fileBytes, int inTurn, int atOnce) {
  /** From here on there are half of the samples: each takes most of a second with its check. */
  private static final long LARGE_BYTES = 1L << 28;

  /** From here on there is a third: each takes seconds. */
  private static final long HUGE_BYTES = 1L << 30;

  public Load {
    if (fileBytes < 1 || inTurn < 1 || atOnce < 1 || (inTurn > 1 && atOnce > 1)) {
      throw new IllegalArgumentException(
          "no load: " + fileBytes + " bytes, " + inTurn + " in turn, " + atOnce + " at once");
    }
  }

  /** Files of a sample. */
  public int files() {
    return inTurn * atOnce;
  }

  /** Bytes of a sample. */
  public long bytes() {
    return fileBytes * files();
  }

  /** Bytes of an operation. */
  public long operationBytes() {
    return fileBytes * atOnce;
  }

  /** What a profile means for this load: fewer samples and a shorter warm-up where it is large. */
  public Settings of(Settings settings) {
    if (bytes() < LARGE_BYTES) {
      return settings;
    }
    int share = bytes() < HUGE_BYTES ? 2 : 3;
    return new Settings(
        settings.rounds(),
        (settings.samplesPerRound() + share - 1) / share,
        settings.warmupMillis(),
        settings.maxWarmupMillis(),
        1);
  }

  /** For instance {@code 64 files of 25,060,966 bytes at once}. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d %s of %,d bytes%s",
        files(),
        files() == 1 ? "file" : "files",
        fileBytes,
        inTurn > 1 ? " in turn" : atOnce > 1 ? " at once" : "");
  }
}
