package dev.ferry.suites.advice;

import dev.ferry.lab.model.Interval;
import dev.ferry.lab.model.Row;
import org.jspecify.annotations.Nullable;

/**
 * What a sentence says about a row. Sentences are made from claims, so that a test can hold each of
 * them against the rows and against the others.
 *
 * @param who the row
 * @param whom the row with which it is compared; null for claims about one row
 * @param factor how many times faster or slower; of {@link Relation#CLOSE} the greatest ratio is
 *     the upper end; null if the claim has no figure
 */
record Claim(Row who, Relation relation, @Nullable Row whom, @Nullable Interval factor) {
  /** How a row stands to another one, or to all others. */
  enum Relation {
    /** It takes less time than each other row that has enough forks. */
    FASTEST,
    /** No row that has enough forks takes less time for certain. */
    MAY_BE_FASTEST,
    /** It takes less time than the other row. */
    FASTER,
    /** It takes more time than the other row. */
    SLOWER,
    /** Whichever of the two takes less time, the difference is limited. */
    CLOSE,
    /** It does what the other row does, and more, and does not take more time for certain. */
    NO_COST,
    /** It has too few forks for any other claim. */
    TOO_FEW_FORKS
  }

  static Claim of(Row who, Relation relation) {
    return new Claim(who, relation, null, null);
  }
}
