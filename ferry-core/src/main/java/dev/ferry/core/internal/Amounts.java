package dev.ferry.core.internal;

import java.time.Duration;
import java.util.Locale;

/** Formats durations. */
public final class Amounts {
  private static final long MILLIS = 1000;
  private static final long MOST_SECONDS = 120;

  private Amounts() {}

  /** For instance {@code 500 ms}, {@code 60 s}, {@code 1.5 s} or {@code 5 min}. */
  public static String time(Duration time) {
    long millis = time.toMillis();
    if (millis < MILLIS) {
      return millis + " ms";
    }
    long seconds = millis / MILLIS;
    if (millis % MILLIS != 0 && seconds < MOST_SECONDS) {
      return String.format(Locale.ROOT, "%.1f s", (double) millis / MILLIS);
    }
    return seconds >= MOST_SECONDS && seconds % 60 == 0 ? seconds / 60 + " min" : seconds + " s";
  }
}
