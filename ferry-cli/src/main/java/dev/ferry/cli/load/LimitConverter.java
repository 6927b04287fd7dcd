package dev.ferry.cli.load;

import dev.ferry.cli.program.TimeConverter;
import dev.ferry.load.Limit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses the latency that a server has to keep, such as {@code p99=50ms}. */
final class LimitConverter implements ITypeConverter<Limit> {
  private static final double PERCENT = 100;
  private static final Pattern TEXT =
      Pattern.compile("p(?<percentile>\\d{1,2}(?:\\.\\d{1,4})?)=(?<time>.+)");

  @Override
  public Limit convert(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is no limit; give a percentile and a time, such as p99=50ms");
    }
    double percentile = Double.parseDouble(matcher.group("percentile"));
    long nanos = new TimeConverter().convert(matcher.group("time")).toNanos();
    if (percentile <= 0 || percentile >= PERCENT || nanos == 0) {
      throw new TypeConversionException(
          "'" + text + "': the percentile is between 0 and 100, and the time above 0");
    }
    return new Limit(percentile, nanos);
  }
}
