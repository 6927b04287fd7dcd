package dev.ferry.lab.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The criteria of verdicts.
 *
 * @param threshold the smallest relative difference that matters, for instance 0.05
 * @param floor the noise floor, by which a program differs from itself in other forks: the largest
 *     of all tables; null if the run does not tell it
 * @param looks how many decisions share the error rate, at least 1: how often the run may decide
 *     that a comparison needs no further forks, or how many rows of two runs are compared
 * @param floors the noise floor of each table that tells one, by {@link RowKey#tableName}; null if
 *     all tables have {@code floor}, as in runs of earlier versions
 */
public record Criteria(
    double threshold, @Nullable Double floor, int looks, @Nullable Map<String, Double> floors) {
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

  /** Creates criteria that are the same for all tables. */
  public Criteria(double threshold, @Nullable Double floor, int looks) {
    this(threshold, floor, looks, null);
  }

  public Criteria {
    // A broken file must not lead to a division by zero.
    looks = Math.max(1, looks);
    floors = floors == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(floors));
  }

  /**
   * Returns the criteria of two rows: with the noise floor of their table, or the larger one of
   * two. A table that tells none may have as much noise as any other.
   */
  public Criteria of(RowKey row, RowKey other) {
    Double a = floors == null ? null : floors.get(row.tableName());
    Double b = floors == null ? null : floors.get(other.tableName());
    return new Criteria(threshold, a == null || b == null ? floor : (Double) Math.max(a, b), looks);
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
