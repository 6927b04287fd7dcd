package dev.ferry.lab.judge;

import dev.ferry.lab.model.Interval;
import dev.ferry.lab.model.RootText;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Finds the same row in several tables of a report, with different figures. */
final class Repeats {
  private Repeats() {}

  /** A row and its repetition in another table. */
  private record Repeat(PublishedRow row, PublishedRow again, int line) {
    double times() {
      double quotient = Claims.quotient(row, again);
      return Math.max(quotient, 1 / quotient);
    }

    /** Returns whether the two means are not the same by their own intervals. */
    boolean differs() {
      Interval a = row.interval();
      Interval b = again.interval();
      return a != null && b != null && !Claims.overlap(a, b);
    }

    String text() {
      String text =
          RootText.format(
              "%s is %s here and %s in the table of line %d",
              row.name(), row.printedMean(), again.printedMean(), line);
      // A mean of 0 has no quotient.
      return Double.isFinite(times()) ? text + RootText.format(", %.1f times", times()) : text;
    }
  }

  /** Returns a sentence if rows of a table contradict their repetition in another table. */
  static Optional<String> of(PublishedTable table, List<PublishedTable> all) {
    List<Repeat> repeats =
        all.stream()
            .filter(other -> other != table)
            // Another job or machine is not a repetition.
            .filter(other -> other.heading().equals(table.heading()))
            .filter(other -> other.settings().equals(table.settings()))
            .flatMap(other -> candidates(table).flatMap(row -> again(row, other)))
            .filter(Repeat::differs)
            .toList();
    return repeats.stream()
        .max(
            Comparator.comparing((Repeat repeat) -> Double.isFinite(repeat.times()))
                .thenComparing(Repeat::times))
        .map(
            worst ->
                "The same row in another table of this report differs by more than both errors, in %d"
                        .formatted(repeats.size())
                    + (repeats.size() == 1 ? " case: " : " cases: ")
                    + worst.text()
                    + ".");
  }

  /** Other methods may have the same name in another table and be something else. */
  private static Stream<PublishedRow> candidates(PublishedTable table) {
    boolean known = table.grouping().explained();
    return table.grouping().groups().stream()
        .flatMap(g -> g.rows().stream().filter(r -> !known || r == g.base()));
  }

  private static Stream<Repeat> again(PublishedRow row, PublishedTable other) {
    return candidates(other)
        .filter(r -> r.method().equals(row.method()) && agree(row.parameters(), r.parameters()))
        .map(r -> new Repeat(row, r, other.line()));
  }

  /** Returns whether two settings share a parameter and have no different value. */
  private static boolean agree(Map<String, String> a, Map<String, String> b) {
    Set<String> shared = new HashSet<>(a.keySet());
    shared.retainAll(b.keySet());
    return !shared.isEmpty() && shared.stream().allMatch(p -> Objects.equals(a.get(p), b.get(p)));
  }
}
