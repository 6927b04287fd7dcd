package dev.ferry.cli.program;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses a duration with a unit: {@code ms}, {@code s}, {@code m}, {@code min} or {@code h}. {@code
 * 0} needs no unit; each option defines its meaning.
 */
public final class TimeConverter implements ITypeConverter<Duration> {
  private static final String TEXT = "0|(?<amount>\\d{1,9})\\s?(?<unit>ms|s|m|min|h)";

  @Override
  public Duration convert(String text) {
    Matcher matcher = Pattern.compile(TEXT, Pattern.CASE_INSENSITIVE).matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is not a time; give one such as 500ms, 30s, 5m or 1h, or 0");
    }
    String unit = matcher.group("unit");
    if (unit == null) {
      return Duration.ZERO;
    }
    long amount = Long.parseLong(matcher.group("amount"));
    return switch (unit.toLowerCase(Locale.ROOT)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofMinutes(amount);
    };
  }
}
