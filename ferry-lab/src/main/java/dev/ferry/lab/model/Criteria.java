package dev.ferry.lab.model;

import org.jspecify.annotations.Nullable;

/**
 * The criteria of verdicts.
 *
 * @param threshold the smallest relative difference that matters, for instance 0.05
 * @param floor the noise floor: the largest relative difference between a baseline and its A/A row,
 *     which is the same program; null if the run has no A/A row with two forks
 * @param looks how many decisions share the error rate, at least 1: how often the run may decide
 *     that a comparison needs no further forks, or how many rows of two runs are compared
 */
public record Criteria(double threshold, @Nullable Double floor, int looks) {
  /** The threshold if none is given. */
  public static final double DEFAULT_THRESHOLD = 0.05;

  /**
   * A verdict that decides needs this many forks of each row, and so do intervals and errors: with
   * two they span orders of magnitude, or are narrow by chance.
   */
  public static final int LEAST_FORKS = 3;

  /** The criteria if nobody gives others. */
  public static final Criteria DEFAULT = new Criteria(DEFAULT_THRESHOLD, null, 1);

  private static final double ERROR_RATE = 0.05;

  public Criteria {
    // A broken file must not lead to a division by zero.
    looks = Math.max(1, looks);
  }

  /**
   * Returns the confidence of each interval, so that all decisions together have 95 % (Bonferroni's
   * correction).
   */
  public double confidence() {
    return 1 - ERROR_RATE / looks;
  }

  /** Returns the smallest relative difference that counts as a difference. */
  public double smallestDifference() {
    return floor == null ? threshold : Math.max(threshold, floor);
  }
}
