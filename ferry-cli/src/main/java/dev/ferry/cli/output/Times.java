package dev.ferry.cli.output;

import dev.ferry.core.FileFacts;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** Formats times. */
public final class Times {
  private Times() {}

  /**
   * Formats a time in UTC to the second, with a fixed width for years of four digits and for a time
   * that is not known.
   */
  public static String utc(Instant instant) {
    if (instant.equals(FileFacts.UNKNOWN_TIME)) {
      return "-                   ";
    }
    // No formatter: to make one takes 3 ms of a short command.
    LocalDateTime time = LocalDateTime.ofEpochSecond(instant.getEpochSecond(), 0, ZoneOffset.UTC);
    return time + (time.getSecond() == 0 ? ":00Z" : "Z");
  }
}
