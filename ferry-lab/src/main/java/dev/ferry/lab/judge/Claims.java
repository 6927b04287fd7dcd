package dev.ferry.lab.judge;

import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.Interval;
import dev.ferry.lab.model.Verdict;
import dev.ferry.lab.stats.Comparisons;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What two means with their errors can claim about their ratio. */
final class Claims {
  private Claims() {}

  static double mean(PublishedRow row) {
    return Objects.requireNonNull(row.mean()).value();
  }

  static double quotient(PublishedRow row, PublishedRow base) {
    return mean(row) / mean(base);
  }

  /**
   * Returns by how much a printed ratio may differ from the quotient of the printed means, as a
   * part of it: the digits that were cut, and what a mean of quotients is larger than a quotient of
   * means.
   */
  static double noise(PublishedRow row, PublishedRow base) {
    Figure stdDev = base.stdDev();
    double variation = stdDev == null ? 0 : stdDev.value() / mean(base);
    return rounding(row) + rounding(base) + 2 * variation * variation;
  }

  private static double rounding(PublishedRow row) {
    return Objects.requireNonNull(row.mean()).rounding() / mean(row);
  }

  /**
   * Returns the ratio of two means with its interval by Fieller's theorem (E. C. Fieller, <i>Some
   * Problems in Interval Estimation</i>, 1954).
   *
   * <p>With means a and b and half intervals e and f, the interval has all r for which a - r b is
   * not distinguishable from 0: (a - r b)² &lt;= e² + r² f². Its ends are the roots of (b² - f²) r²
   * - 2 a b r + (a² - e²) = 0. If f is not less than b, the baseline's mean is not distinguishable
   * from 0, and there is no upper end.
   */
  static Interval ratio(Interval row, Interval base) {
    double a = row.value();
    double b = base.value();
    double e = row.high() - a;
    double f = base.high() - b;
    double square = b * b - f * f;
    double root = Math.sqrt(Math.max(0, a * a * b * b - (a * a - e * e) * square));
    // The equation has a negative root if a is not distinguishable from 0; a time is not negative.
    double low =
        a <= e ? 0 : square <= 0 ? (a * a - e * e) / (a * b + root) : (a * b - root) / square;
    return new Interval(
        a / b, low, square <= 0 ? Double.POSITIVE_INFINITY : (a * b + root) / square);
  }

  /** Returns whether two intervals have a value in common. */
  static boolean overlap(Interval a, Interval b) {
    return a.low() <= b.high() && b.low() <= a.high();
  }

  /**
   * Returns what the intervals of two means decide. If they overlap, nothing is decided, although
   * the interval of the ratio, which is narrower, may exclude 1: the errors come from one process,
   * and the next one may differ by more.
   *
   * @param row the mean of the row; null if it has no error
   */
  static Verdict verdict(@Nullable Interval row, @Nullable Interval base) {
    if (row == null || base == null) {
      return Verdict.NOT_DECIDED;
    }
    Verdict verdict = Comparisons.verdict(ratio(row, base), Criteria.DEFAULT);
    return verdict == Verdict.SAME || !overlap(row, base) ? verdict : Verdict.NOT_DECIDED;
  }

  /** Returns a verdict in words with its size, for instance {@code 1.90 to 2.30 times faster}. */
  static String words(Verdict verdict, @Nullable Interval ratio) {
    if (ratio == null || verdict == Verdict.NOT_COMPARABLE) {
      return verdict.label();
    }
    return switch (verdict) {
      case FASTER -> range(ratio.inverse()) + " times faster";
      case SLOWER -> range(ratio) + " times slower";
      default -> verdict.label() + " (" + range(ratio) + ")";
    };
  }

  private static String range(Interval ratio) {
    return Findings.number(ratio.low())
        + (Double.isInfinite(ratio.high()) ? " or more" : " to " + Findings.number(ratio.high()));
  }
}
