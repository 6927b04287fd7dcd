package dev.ferry.cli.load;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses operations a second, such as {@code 2000/s}, {@code 2,000} or {@code 0.5/s}. */
final class RateConverter implements ITypeConverter<Double> {
  private static final Pattern TEXT =
      Pattern.compile("(?<number>\\d{1,3}(?:,\\d{3}){1,3}|\\d{1,9})(?<part>\\.\\d{1,9})?(?:/s)?");

  @Override
  public Double convert(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is no rate; give operations a second, such as 2000/s");
    }
    String part = matcher.group("part");
    return Double.valueOf(matcher.group("number").replace(",", "") + (part == null ? "" : part));
  }
}
