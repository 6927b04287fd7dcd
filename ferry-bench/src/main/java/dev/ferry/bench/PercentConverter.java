package dev.ferry.bench;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a percentage such as {@code 5%} to its part of 1. The sign may be missing. */
final class PercentConverter implements ITypeConverter<Double> {
  private static final Pattern TEXT = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,3})?)\\s?%?");
  private static final double PERCENT = 100;

  @Override
  public Double convert(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException("'" + text + "' is not a percentage such as 5% or 2.5%");
    }
    return Double.parseDouble(matcher.group(1)) / PERCENT;
  }
}
