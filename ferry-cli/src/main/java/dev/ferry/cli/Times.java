package dev.ferry.cli;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Points in time as they are printed. */
final class Times {
  private static final DateTimeFormatter UTC =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private Times() {}

  /** To the second, always of the same width. */
  static String utc(Instant instant) {
    return UTC.format(instant);
  }
}
