package dev.ferry.cli.load;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses operations a second, such as {@code 2000/s}, {@code 2,000} or {@code 0.5/s}, or two of
 * them with {@code ..} between them.
 */
final class RateConverter implements ITypeConverter<Rates> {
  private static final Pattern TEXT =
      Pattern.compile("(?<number>\\d{1,3}(?:,\\d{3}){1,3}|\\d{1,9})(?<part>\\.\\d{1,9})?(?:/s)?");

  @Override
  public Rates convert(String text) {
    int dots = text.indexOf("..");
    if (dots < 0) {
      double rate = rate(text);
      return new Rates(rate, rate);
    }
    Rates rates = new Rates(rate(text.substring(0, dots)), rate(text.substring(dots + 2)));
    if (rates.first() <= 0 || rates.first() >= rates.last()) {
      throw new TypeConversionException(
          "'" + text + "': the first rate is above 0, and the second one above the first");
    }
    return rates;
  }

  private static double rate(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is no rate; give operations a second, such as 2000/s");
    }
    String part = matcher.group("part");
    return Double.parseDouble(
        matcher.group("number").replace(",", "") + (part == null ? "" : part));
  }
}
