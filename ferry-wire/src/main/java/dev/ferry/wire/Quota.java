package dev.ferry.wire;

import dev.ferry.core.ByteSize;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.PlainText;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much a caller may do in some time, and at once. Its text is for instance {@code
 * requests:20/s} or {@code total:10G/d}.
 *
 * @param kind what is counted
 * @param amount at least 1
 * @param unit a second, a minute, an hour or a day
 */
public record Quota(Kind kind, long amount, Duration unit) {
  /** What a quota counts. */
  public enum Kind {
    REQUESTS("requests"),
    /** Files and directories that are made or replaced. */
    FILES("files"),
    /** Bytes of uploads. */
    TOTAL("total");

    private final String prefix;

    Kind(String name) {
      this.prefix = name + ":";
    }

    private FerryException malformed(String text) {
      String form =
          this == TOTAL
              ? "total:SIZE/d, such as total:10G/d, or SIZE/s, SIZE/m, SIZE/h"
              : prefix + "N/s, or N/m a minute, N/h an hour, N/d a day";
      return new FerryException(
          ErrorKind.INVALID_REQUEST, "'" + PlainText.of(text) + "' is no limit; give " + form);
    }
  }

  private static final Pattern FORM = Pattern.compile("[a-z]+:(.+)/([smhd])");
  private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,5}");

  private static final Map<String, Duration> UNITS =
      Map.of(
          "s", Duration.ofSeconds(1),
          "m", Duration.ofMinutes(1),
          "h", Duration.ofHours(1),
          "d", Duration.ofDays(1));

  /** Checks the values. */
  public Quota {
    if (amount < 1 || !UNITS.containsValue(unit)) {
      throw new IllegalArgumentException(kind + " " + amount + " in " + unit + " is no limit");
    }
  }

  /** Returns whether a text is meant to be a quota of any kind. */
  static boolean isQuota(String text) {
    for (Kind kind : Kind.values()) {
      if (text.startsWith(kind.prefix)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Parses a quota.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if it is malformed; the message
   *     is one line that quotes it
   */
  public static Quota parse(String text) throws FerryException {
    for (Kind kind : Kind.values()) {
      if (text.startsWith(kind.prefix)) {
        return parse(kind, text);
      }
    }
    throw Kind.REQUESTS.malformed(text);
  }

  private static Quota parse(Kind kind, String text) throws FerryException {
    Matcher form = FORM.matcher(text);
    Duration unit = form.matches() ? UNITS.get(form.group(2)) : null;
    if (unit == null || (kind != Kind.TOTAL && !NUMBER.matcher(form.group(1)).matches())) {
      throw kind.malformed(text);
    }
    try {
      long amount = ByteSize.parse(form.group(1));
      if (amount > 0) {
        return new Quota(kind, amount, unit);
      }
    } catch (IllegalArgumentException e) {
      throw kind.malformed(text);
    }
    throw kind.malformed(text);
  }

  /** The text that {@link #parse} reads. */
  @Override
  public String toString() {
    String number = kind == Kind.TOTAL ? ByteSize.shortest(amount) : String.valueOf(amount);
    String letter =
        UNITS.entrySet().stream()
            .filter(entry -> entry.getValue().equals(unit))
            .map(Map.Entry::getKey)
            .findFirst()
            .orElseThrow();
    return kind.prefix + number + "/" + letter;
  }
}
