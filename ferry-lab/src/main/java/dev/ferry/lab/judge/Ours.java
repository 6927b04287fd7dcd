package dev.ferry.lab.judge;

import dev.ferry.lab.model.Comparison;
import dev.ferry.lab.model.RootText;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.Verdict;
import dev.ferry.lab.stats.Comparisons;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a run of Ferry says of a published row.
 *
 * @param verdict the verdict of the run; null if there is none
 * @param text the verdict in words, with the median
 */
record Ours(@Nullable Verdict verdict, String text) {
  private static final Ours NONE = new Ours(null, "-");

  /** Finds the rows of the same names, and compares them by their forks. */
  static Ours of(
      PublishedRow published,
      Optional<PublishedRow> publishedBase,
      List<Row> rows,
      RunDocument run) {
    Row row = Places.find(published, rows).orElse(null);
    Row base = publishedBase.flatMap(b -> Places.find(b, rows)).orElse(null);
    if (row == null) {
      return NONE;
    }
    if (!row.measured()) {
      return new Ours(null, row.status().name().toLowerCase(Locale.ROOT));
    }
    String median = RootText.format("median %,.1f %s", row.time().median(), row.time().unit());
    if (base == null || base == row || !base.measured()) {
      return new Ours(null, median);
    }
    Comparison comparison = Comparisons.compare(row, base, true, run.criteria());
    return new Ours(
        comparison.verdict(),
        Claims.words(comparison.verdict(), comparison.time()) + ", " + median);
  }

  /** Returns whether the run says the opposite of a published verdict. */
  boolean contradicts(@Nullable Verdict published) {
    return (published == Verdict.FASTER && verdict == Verdict.SLOWER)
        || (published == Verdict.SLOWER && verdict == Verdict.FASTER);
  }
}
