package dev.ferry.core.internal;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/** Formats durations, and numbers without a locale. */
public final class Amounts {
  private static final long MILLIS = 1000;
  private static final long MOST_SECONDS = 120;

  private Amounts() {}

  /**
   * Formats a number with a fixed number of digits behind the point. {@code String.format} prints
   * the same, after it has read the data of the locale: 20 ms of a cold start.
   */
  public static String decimal(double number, int digits) {
    return Double.isFinite(number)
        ? BigDecimal.valueOf(number).setScale(digits, RoundingMode.HALF_UP).toPlainString()
        : String.valueOf(number);
  }

  /** For instance {@code 500 ms}, {@code 60 s}, {@code 1.5 s} or {@code 5 min}. */
  public static String time(Duration time) {
    long millis = time.toMillis();
    if (millis < MILLIS) {
      return millis + " ms";
    }
    long seconds = millis / MILLIS;
    if (millis % MILLIS != 0 && seconds < MOST_SECONDS) {
      return decimal((double) millis / MILLIS, 1) + " s";
    }
    return seconds >= MOST_SECONDS && seconds % 60 == 0 ? seconds / 60 + " min" : seconds + " s";
  }
}
