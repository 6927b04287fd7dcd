package dev.ferry.core;

import dev.ferry.core.internal.Amounts;
import dev.ferry.core.internal.PlainText;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses and formats numbers of bytes.
 *
 * <p>{@code K}, {@code M}, {@code G}, {@code T}, {@code KiB}, {@code MiB}, {@code GiB} and {@code
 * TiB} are powers of 1,024. {@code kB}, {@code MB}, {@code GB} and {@code TB} are powers of 1,000,
 * as in the summaries that Ferry prints. Letter case is ignored.
 */
public final class ByteSize {
  /** The accepted forms, for option descriptions. */
  public static final String FORMS =
      "bytes, or with K, M, G, T (times 1,024, as KiB) or kB, MB, GB, TB (times 1,000)";

  private static final Pattern TEXT =
      Pattern.compile(
          "(?<whole>\\d{1,3}(?:,\\d{3}){1,6}|\\d{1,19})(?<part>\\.\\d{1,9})?\\s?"
              + "(?:bytes?|b|(?<power>[kmgt])(?<base>i?b)?)?",
          Pattern.CASE_INSENSITIVE);

  private static final Map<String, Integer> POWERS = Map.of("k", 1, "m", 2, "g", 3, "t", 4);

  /** Powers of 1,024. */
  private static final String UNITS = "KMGT";

  private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);
  private static final double BYTES_PER_KB = 1e3;
  private static final double BYTES_PER_MB = 1e6;

  /** Less is formatted in a smaller unit than MB where people read what was moved. */
  private static final double LEAST_IN_MB = 100_000;

  /** What rounds up to the next unit. */
  private static final double HALF_A_DIGIT = 0.05;

  private ByteSize() {}

  /**
   * Parses a size, for instance {@code 65536}, {@code 64K}, {@code 64 KiB}, {@code 1.5G}, {@code
   * 200.0 MB} or {@code 25,060,966 bytes}. A fraction of a byte is dropped.
   *
   * @return bytes, from 0
   * @throws IllegalArgumentException if the text is not a size or exceeds {@link Long#MAX_VALUE}
   *     bytes; the message is one line that quotes the text
   */
  public static long parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + PlainText.of(text) + "' is not a size; give " + FORMS);
    }
    String part = matcher.group("part");
    BigDecimal number =
        new BigDecimal(matcher.group("whole").replace(",", "") + (part == null ? "" : part));
    BigInteger bytes = number.multiply(new BigDecimal(unit(matcher))).toBigInteger();
    if (bytes.compareTo(MOST) > 0) {
      throw new IllegalArgumentException("'" + text + "' is more bytes than can be counted");
    }
    return bytes.longValueExact();
  }

  private static BigInteger unit(Matcher matcher) {
    String power = matcher.group("power");
    if (power == null) {
      return BigInteger.ONE;
    }
    boolean decimal = "b".equalsIgnoreCase(matcher.group("base"));
    return BigInteger.valueOf(decimal ? 1_000 : 1_024)
        .pow(POWERS.getOrDefault(power.toLowerCase(Locale.ROOT), 0));
  }

  /** Returns the shortest text that {@link #parse} reads as this size, for instance {@code 50M}. */
  public static String shortest(long bytes) {
    for (int power = UNITS.length(); power > 0; power--) {
      long unit = 1L << (10 * power);
      if (bytes > 0 && bytes % unit == 0) {
        return bytes / unit + UNITS.substring(power - 1, power);
      }
    }
    return String.valueOf(bytes);
  }

  /**
   * Formats bytes in a unit that fits, for instance {@code 512 B}, {@code 1.5 kB} or {@code 25.1
   * GB}.
   */
  public static String readable(long bytes) {
    if (bytes < BYTES_PER_KB) {
      return bytes + " B";
    }
    double value = bytes / BYTES_PER_KB;
    int unit = 0;
    while (value >= BYTES_PER_KB - HALF_A_DIGIT && unit < UNITS.length() - 1) {
      value /= BYTES_PER_KB;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %cB", value, unit == 0 ? 'k' : UNITS.charAt(unit));
  }

  /**
   * Formats what was moved, or moves each second: as {@link #megabytes}, or in a smaller unit if
   * that would be 0.0 or 0.1 MB, for instance {@code 12.3 kB}.
   */
  public static String amount(double bytes) {
    return bytes < LEAST_IN_MB ? readable(Math.round(bytes)) : megabytes(bytes);
  }

  /** Formats bytes as megabytes (10^6 bytes) with one decimal, for instance {@code 25.1 MB}. */
  public static String megabytes(double bytes) {
    return Amounts.decimal(bytes / BYTES_PER_MB, 1) + " MB";
  }
}
