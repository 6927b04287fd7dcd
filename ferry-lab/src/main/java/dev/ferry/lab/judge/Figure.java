package dev.ferry.lab.judge;

import java.util.Map;
import java.util.Set;
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
  /** What people add to a figure: a word in parentheses, or how far it varies. */
  private static final String REMARK = "( *\\([^()]*\\)| *\u00b1.*)?";

  /** What people write before a figure that is not exact, or before an error. */
  private static final Pattern SIGN = Pattern.compile("^[~\u2248\u00b1] *");

  /** A number and what follows it. Cultures group digits by points, commas, spaces or accents. */
  private static final Pattern CELL =
      Pattern.compile("([+-]?)([0-9](?:[0-9.,'\u2019 ]*[0-9])?) *(x?|%|\\S+?)( \\w+)?" + REMARK);

  private static final Pattern WITH_POINT =
      Pattern.compile(
          "(\\d+|[1-9]\\d{0,2}(?:[,'\u2019 ]\\d{2,3})*[,'\u2019 ]\\d{3})(?:\\.(\\d+))?");
  private static final Pattern WITH_COMMA =
      Pattern.compile("(\\d+|[1-9]\\d{0,2}(?:[.'\u2019 ]\\d{2,3})*[.'\u2019 ]\\d{3})(?:,(\\d+))?");

  /** The units. Microseconds, which few programs save and read alike, are {@link #MICROSECOND}. */
  private static final Map<String, Double> UNITS =
      Map.ofEntries(
          Map.entry("", 1.0),
          Map.entry("ns", 1.0),
          Map.entry("us", 1e3),
          Map.entry("ms", 1e6),
          Map.entry("s", 1e9),
          Map.entry("m", 6e10),
          Map.entry("h", 3.6e12),
          Map.entry("B", 1.0),
          Map.entry("kB", 1024.0),
          Map.entry("KB", 1024.0),
          Map.entry("MB", 1024.0 * 1024),
          Map.entry("GB", 1024.0 * 1024 * 1024),
          Map.entry("TB", 1024.0 * 1024 * 1024 * 1024));

  /** The characters of the longest cell that is read as a number. */
  static final int LONGEST = 64;

  /** How many cells that agree outweigh one that does not. */
  private static final int MOST = 4;

  /** The Greek letter, the micro sign, and what a wrong encoding makes of them. */
  private static final Pattern MICROSECOND = Pattern.compile("(\\?|[^\\x00-\\x7f]{1,3})s");

  /**
   * Parses a cell.
   *
   * @param unit the unit of the column, if the cell has none
   * @param decimal the decimal separator, a point or a comma
   * @return null if the cell is not a number in a known unit
   */
  static @Nullable Figure parse(String cell, String unit, char decimal) {
    Matcher match = match(cell);
    if (!match.matches() || match.group(4) != null || match.group(1).equals("+")) {
      return null;
    }
    Figure number = number(match.group(2), decimal);
    String name = match.group(3).isEmpty() ? unit : match.group(3);
    if (name.isEmpty() && match.group(5) != null) {
      // The remark may have the unit.
      return null;
    }
    Double factor = MICROSECOND.matcher(name).matches() ? Double.valueOf(1e3) : UNITS.get(name);
    return number == null || factor == null
        ? null
        : number.times(match.group(1).isEmpty() ? factor : -factor);
  }

  /**
   * Parses a ratio: {@code 1.62}, {@code 1.62x slower}, {@code 1.62x faster}, {@code 1.62x more},
   * {@code 1.62x less}, {@code +62%} or {@code -38%}. The x may be a multiplication sign.
   *
   * @param decimal the decimal separator, a point or a comma
   * @return null if the cell is something else
   */
  static @Nullable Figure parseRatio(String cell, char decimal) {
    Matcher match = match(cell.replace('\u00d7', 'x'));
    Figure number = match.matches() ? number(match.group(2), decimal) : null;
    if (number == null) {
      return null;
    }
    String words = match.group(3) + (match.group(4) == null ? "" : match.group(4));
    return switch (match.group(1) + words) {
      case "", "x", "x slower", "x more" -> number;
      case "x faster", "x less" ->
          number.value == 0
              ? null
              : new Figure(1 / number.value, number.rounding / (number.value * number.value));
      case "%", "+%" -> new Figure(1 + number.value / 100, number.rounding / 100);
      case "-%" -> new Figure(1 - number.value / 100, number.rounding / 100);
      default -> null;
    };
  }

  private static Matcher match(String cell) {
    return CELL.matcher(
        cell.length() <= LONGEST ? SIGN.matcher(cell.replace('\u2212', '-')).replaceFirst("") : "");
  }

  private static @Nullable Figure number(String digits, char decimal) {
    Matcher match = (decimal == '.' ? WITH_POINT : WITH_COMMA).matcher(digits);
    if (!match.matches()) {
      return null;
    }
    String fraction = match.group(2) == null ? "" : match.group(2);
    double value = Double.parseDouble(match.group(1).replaceAll("\\D", "") + "." + fraction + "0");
    return new Figure(value, Math.pow(10, -fraction.length()) / 2);
  }

  private Figure times(double factor) {
    return new Figure(value * factor, rounding * Math.abs(factor));
  }

  /**
   * Returns the decimal separators that cells may have: both if no cell tells, and none if cells
   * contradict each other. A comma or point with three digits behind it may group digits, and a few
   * cells that do not agree with the others are wrong.
   */
  static Set<Character> decimals(Iterable<String> cells) {
    int points = 0;
    int commas = 0;
    for (String cell : cells) {
      Matcher match = match(cell);
      if (match.matches()) {
        boolean point = number(match.group(2), '.') != null;
        boolean comma = number(match.group(2), ',') != null;
        points += point && !comma ? 1 : 0;
        commas += comma && !point ? 1 : 0;
      }
    }
    return points + commas == 0
        ? Set.of('.', ',')
        : points >= MOST * commas ? Set.of('.') : commas >= MOST * points ? Set.of(',') : Set.of();
  }
}
