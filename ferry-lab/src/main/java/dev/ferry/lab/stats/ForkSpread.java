package dev.ferry.lab.stats;

import dev.ferry.lab.model.ForkFigures;
import dev.ferry.lab.model.Interval;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.stats.RunComparison.Pair;
import java.util.List;
import org.apache.commons.math3.analysis.solvers.BrentSolver;
import org.apache.commons.math3.special.Gamma;
import org.apache.commons.math3.stat.descriptive.moment.Mean;
import org.apache.commons.math3.stat.descriptive.moment.Variance;

/**
 * How much the forks of a row differ, learned from all rows that two runs measured.
 *
 * <p>Three forks say little of how much they differ. So the variance of each row is moved towards
 * that of all rows, the more the less the rows differ in it (Smyth, <i>Linear Models and Empirical
 * Bayes Methods</i>, 2004). The same row of both runs has one variance. As in {@link Intervals},
 * each fork is the logarithm of its median.
 *
 * @param variance that of all rows
 * @param freedom the degrees of freedom that it is worth; 0 if nothing is known of it
 * @param mostFreedom those of all forks together
 */
record ForkSpread(double variance, double freedom, double mostFreedom) {
  /** Forks never differ by less than a ten-thousandth of the time. */
  private static final double LEAST_VARIANCE = 1e-8;

  /** With fewer rows it is not known how much they differ in their variances. */
  private static final int LEAST_ROWS = 3;

  private static final double LEAST_FREEDOM = 1e-3;
  private static final double MOST_FREEDOM = 1e4;
  private static final int STEPS = 1_000;

  /**
   * Learns from rows that can be compared, each with two forks or more in both runs, and with
   * positive medians.
   */
  static ForkSpread of(List<Pair> pairs) {
    // The mean logarithm of a variance lies below that of the true one, and varies by chance.
    double[] logs =
        pairs.stream()
            .mapToDouble(p -> Math.log(variance(p)) - meanLogarithm(freedom(p)))
            .toArray();
    double chance =
        pairs.stream().mapToDouble(p -> Gamma.trigamma(freedom(p) / 2)).average().orElse(0);
    double all = pairs.stream().mapToDouble(ForkSpread::freedom).sum();
    if (logs.length < LEAST_ROWS) {
      return new ForkSpread(0, 0, all);
    }
    double excess = new Variance().evaluate(logs) - chance;
    double freedom =
        excess <= Gamma.trigamma(MOST_FREEDOM / 2)
            ? MOST_FREEDOM
            : new BrentSolver()
                .solve(STEPS, n -> Gamma.trigamma(n / 2) - excess, LEAST_FREEDOM, MOST_FREEDOM);
    return new ForkSpread(
        Math.exp(new Mean().evaluate(logs) + meanLogarithm(freedom)), freedom, all);
  }

  /** Returns the mean logarithm of a variance with degrees of freedom, if the true one is 1. */
  private static double meanLogarithm(double freedom) {
    return Gamma.digamma(freedom / 2) - Math.log(freedom / 2);
  }

  private static double freedom(Pair pair) {
    return pair.before().forks().size() + pair.after().forks().size() - 2;
  }

  private static double variance(Pair pair) {
    double[] a = logs(pair.before());
    double[] b = logs(pair.after());
    Variance of = new Variance();
    return Math.max(
        LEAST_VARIANCE,
        ((a.length - 1) * of.evaluate(a) + (b.length - 1) * of.evaluate(b)) / freedom(pair));
  }

  private static double[] logs(Row row) {
    return row.forks().stream().mapToDouble(ForkFigures::median).map(Math::log).toArray();
  }

  /** Returns the ratio of the later row to the earlier one. */
  Interval ratio(Pair pair, double confidence) {
    double[] before = logs(pair.before());
    double[] after = logs(pair.after());
    double own = freedom(pair);
    double shared = (freedom * variance + own * variance(pair)) / (freedom + own);
    double error = Math.sqrt(shared * (1.0 / before.length + 1.0 / after.length));
    // No more is known than what all forks together say.
    double half = Intervals.quantile(Math.min(freedom + own, mostFreedom), confidence) * error;
    double difference = new Mean().evaluate(after) - new Mean().evaluate(before);
    return new Interval(
        Math.exp(difference), Math.exp(difference - half), Math.exp(difference + half));
  }
}
