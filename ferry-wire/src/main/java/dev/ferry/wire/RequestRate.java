package dev.ferry.wire;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many requests a caller may send in some time, and at once. Its text is for instance {@code
 * requests:20/s}.
 *
 * @param requests at least 1
 * @param unit a second, a minute, an hour or a day
 */
public record RequestRate(long requests, Duration unit) {
  static final String PREFIX = "requests:";

  private static final Pattern FORM = Pattern.compile(PREFIX + "([1-9]\\d{0,5})/([smhd])");

  private static final Map<String, Duration> UNITS =
      Map.of(
          "s", Duration.ofSeconds(1),
          "m", Duration.ofMinutes(1),
          "h", Duration.ofHours(1),
          "d", Duration.ofDays(1));

  /** Checks the values. */
  public RequestRate {
    if (requests < 1 || !UNITS.containsValue(unit)) {
      throw new IllegalArgumentException(requests + " requests in " + unit + " is not a limit");
    }
  }

  /**
   * Parses a rate.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if it is malformed; the message
   *     is one line that quotes it
   */
  public static RequestRate parse(String text) throws FerryException {
    Matcher form = FORM.matcher(text);
    Duration unit = form.matches() ? UNITS.get(form.group(2)) : null;
    if (unit == null) {
      throw CallerLimits.noLimit(
          text, "give requests:N/s, or N/m a minute, N/h an hour, N/d a day");
    }
    return new RequestRate(Long.parseLong(form.group(1)), unit);
  }

  /** The text that {@link #parse} reads. */
  @Override
  public String toString() {
    String letter =
        UNITS.entrySet().stream()
            .filter(entry -> entry.getValue().equals(unit))
            .map(Map.Entry::getKey)
            .findFirst()
            .orElseThrow();
    return PREFIX + requests + "/" + letter;
  }
}
