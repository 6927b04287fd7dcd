package dev.ferry.cli.output;

import dev.ferry.core.FileFacts;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Formats times. */
public final class Times {
  private static final DateTimeFormatter UTC =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private Times() {}

  /**
   * Formats a time in UTC to the second, with a fixed width for years of four digits and for a time
   * that is not known.
   */
  public static String utc(Instant instant) {
    return instant.equals(FileFacts.UNKNOWN_TIME) ? "-                   " : UTC.format(instant);
  }
}
