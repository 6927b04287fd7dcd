package dev.ferry.web.internal;

import dev.ferry.core.FerryException;
import dev.ferry.core.internal.TimeLeft;
import dev.ferry.web.internal.frame.FrameRules;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The {@code grpc-timeout} field: at most eight digits and a unit. */
final class GrpcTimeout {
  private static final Pattern FORM = Pattern.compile("(\\d{1,8})([HMSmun])");

  private static final Map<String, ChronoUnit> UNITS =
      Map.of(
          "H", ChronoUnit.HOURS,
          "M", ChronoUnit.MINUTES,
          "S", ChronoUnit.SECONDS,
          "m", ChronoUnit.MILLIS,
          "u", ChronoUnit.MICROS,
          "n", ChronoUnit.NANOS);

  private GrpcTimeout() {}

  /** Returns the time, a hundred years at most. */
  static Duration parse(String field) throws FerryException {
    Matcher matcher = FORM.matcher(field);
    ChronoUnit unit = matcher.matches() ? UNITS.get(matcher.group(2)) : null;
    if (unit == null) {
      throw FrameRules.unsound("grpc-timeout '" + field + "' is not like '250m' or '10S'");
    }
    Duration timeout = Duration.of(Long.parseLong(matcher.group(1)), unit);
    return timeout.compareTo(TimeLeft.LONGEST) < 0 ? timeout : TimeLeft.LONGEST;
  }
}
