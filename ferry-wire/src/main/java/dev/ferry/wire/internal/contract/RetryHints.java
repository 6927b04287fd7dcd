package dev.ferry.wire.internal.contract;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads from an HTTP error when the server accepts another attempt. A server that is overloaded or
 * shutting down accepts one at any time, unless it says otherwise.
 */
public final class RetryHints {
  static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

  private RetryHints() {}

  /**
   * Adds the hint of an HTTP response to the failure that it stands for.
   *
   * @param retryAfter the field {@code Retry-After} (RFC 9110 section 10.2.3); null if there is
   *     none
   * @param date the field {@code Date}; null if there is none
   */
  public static FerryException add(
      FerryException failure, @Nullable String retryAfter, @Nullable String date) {
    return isBusy(failure) ? failure.withRetryAfter(delay(retryAfter, date)) : failure;
  }

  static boolean isBusy(FerryException failure) {
    return failure.kind() == ErrorKind.OVERLOADED || failure.kind() == ErrorKind.UNAVAILABLE;
  }

  private static Duration delay(@Nullable String retryAfter, @Nullable String date) {
    if (retryAfter == null) {
      return Duration.ZERO;
    }
    if (NUMBER.matcher(retryAfter).matches()) {
      return Duration.ofSeconds(Long.parseLong(retryAfter));
    }
    if (date == null) {
      return Duration.ZERO;
    }
    try {
      // The clocks of both ends may differ.
      Duration delay = Duration.between(instant(date), instant(retryAfter));
      return delay.isNegative() ? Duration.ZERO : delay;
    } catch (DateTimeException e) {
      // A hint that cannot be read states no time.
      return Duration.ZERO;
    }
  }

  private static Instant instant(String date) {
    return DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from);
  }
}
