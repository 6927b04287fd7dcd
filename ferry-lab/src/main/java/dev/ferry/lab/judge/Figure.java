package dev.ferry.lab.judge;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A printed number in its base unit: nanoseconds, bytes, or none.
 *
 * @param value the value
 * @param rounding half of the last printed digit; the true value differs by this at most
 */
record Figure(double value, double rounding) {
  private static final Pattern NUMBER = Pattern.compile("(-?[0-9][0-9,]*(?:\\.([0-9]+))?) *(\\S*)");

  private static final Map<String, Double> UNITS =
      Map.ofEntries(
          Map.entry("", 1.0),
          Map.entry("ns", 1.0),
          Map.entry("us", 1e3),
          // The Greek letter and the micro sign.
          Map.entry("\u03bcs", 1e3),
          Map.entry("\u00b5s", 1e3),
          Map.entry("ms", 1e6),
          Map.entry("s", 1e9),
          Map.entry("m", 6e10),
          Map.entry("B", 1.0),
          Map.entry("KB", 1024.0),
          Map.entry("MB", 1024.0 * 1024),
          Map.entry("GB", 1024.0 * 1024 * 1024));

  /**
   * Parses a cell.
   *
   * @param unit the unit of the column, if the cell has none
   * @return null if the cell is not a number in a known unit
   */
  static @Nullable Figure parse(String cell, String unit) {
    Matcher match = NUMBER.matcher(cell);
    if (!match.matches()) {
      return null;
    }
    Double factor = UNITS.get(match.group(3).isEmpty() ? unit : match.group(3));
    if (factor == null) {
      return null;
    }
    int digits = match.group(2) == null ? 0 : match.group(2).length();
    double value = Double.parseDouble(match.group(1).replace(",", ""));
    return new Figure(value * factor, Math.pow(10, -digits) / 2 * factor);
  }
}
