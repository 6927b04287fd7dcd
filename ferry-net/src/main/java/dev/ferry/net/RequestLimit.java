package dev.ferry.net;

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
 * @param unit a second, a minute or an hour
 */
public record RequestLimit(int requests, Duration unit) {
  private static final String PREFIX = "requests:";
  private static final Pattern FORM = Pattern.compile(PREFIX + "([1-9]\\d{0,5})/([smh])");

  private static final Map<String, Duration> UNITS =
      Map.of("s", Duration.ofSeconds(1), "m", Duration.ofMinutes(1), "h", Duration.ofHours(1));

  /** Checks the values. */
  public RequestLimit {
    if (requests < 1 || !UNITS.containsValue(unit)) {
      throw new IllegalArgumentException(requests + " requests in " + unit + " is no limit");
    }
  }

  /** Returns whether a text is meant to be a limit and not a rule. */
  public static boolean isLimit(String text) {
    return text.startsWith(PREFIX);
  }

  /**
   * Parses a limit.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if it is malformed; the message
   *     is one line that quotes it
   */
  public static RequestLimit parse(String text) throws FerryException {
    Matcher form = FORM.matcher(text);
    Duration unit = form.matches() ? UNITS.get(form.group(2)) : null;
    if (unit == null) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          "'" + text + "' is no limit; give requests:N/s, or N/m a minute, or N/h an hour");
    }
    return new RequestLimit(Integer.parseInt(form.group(1)), unit);
  }

  /** Returns the time from one request to the next at this rate. */
  public Duration interval() {
    return unit.dividedBy(requests);
  }

  /** The text that {@link #parse} reads. */
  @Override
  public String toString() {
    String letter = unit.equals(UNITS.get("s")) ? "s" : unit.equals(UNITS.get("m")) ? "m" : "h";
    return PREFIX + requests + "/" + letter;
  }
}
