package dev.ferry.lab.model;

/**
 * An estimate with its confidence interval.
 *
 * @param value the estimate
 * @param low the lower end of the interval, at most {@code value}
 * @param high the upper end of the interval, at least {@code value}
 */
public record Interval(double value, double low, double high) {
  /** An interval that spans this factor says nothing. */
  private static final double WIDE = 10;

  /** Returns whether the interval of a ratio spans so much that it is not worth a figure. */
  public boolean isWide() {
    return !(high < WIDE * low);
  }

  /** Returns the interval of the reciprocal. The value must not be 0. */
  public Interval inverse() {
    return new Interval(1 / value, 1 / high, 1 / low);
  }
}
