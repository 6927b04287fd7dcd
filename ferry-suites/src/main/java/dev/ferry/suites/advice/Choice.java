package dev.ferry.suites.advice;

import dev.ferry.lab.model.Comparison;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.Verdict;
import dev.ferry.lab.report.VerdictText;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Chooses among rows by their verdicts. */
final class Choice {
  private Choice() {}

  /**
   * Returns a sentence that names the row that no other row beats.
   *
   * @param what the start of the sentence, for instance {@code For downloads}
   * @return empty with fewer than two rows
   */
  static Optional<String> of(String what, Facts facts, List<Row> rows) {
    if (rows.size() < 2) {
      return Optional.empty();
    }
    List<Row> unbeaten =
        rows.stream()
            .filter(
                row ->
                    rows.stream().noneMatch(o -> facts.compare(row, o).verdict() == Verdict.SLOWER))
            .toList();
    if (unbeaten.isEmpty()) {
      return Optional.empty();
    }
    List<Row> others = rows.stream().filter(row -> !unbeaten.contains(row)).toList();
    if (unbeaten.size() == 1) {
      Row best = unbeaten.get(0);
      return Optional.of(
          "%s, use %s: it is %s."
              .formatted(what, Methods.describe(best), join(beaten(best, others, facts), " and ")));
    }
    Row first =
        unbeaten.stream()
            .filter(row -> !beaten(row, others, facts).isEmpty())
            .findFirst()
            .orElse(unbeaten.get(0));
    List<String> beaten = beaten(first, others, facts);
    String gain = beaten.isEmpty() ? "" : first.method() + " is " + join(beaten, " and ");
    List<Comparison> among =
        unbeaten.stream()
            .filter(row -> !row.equals(first))
            .map(row -> facts.compare(first, row))
            .toList();
    String names = join(unbeaten.stream().map(Methods::describe).toList(), " or ");
    if (among.stream().allMatch(c -> c.verdict() == Verdict.SAME)) {
      return Optional.of(
          "%s, use %s, which take the same time%s."
              .formatted(what, names, gain.isEmpty() ? "" : "; " + gain));
    }
    boolean allBeatTheOthers =
        !others.isEmpty()
            && unbeaten.stream().allMatch(u -> beaten(u, others, facts).size() == others.size());
    return Optional.of(
        (allBeatTheOthers
                ? "%s, use %s; it is not decided which of them is the fastest%s%s."
                : "%s, it is not decided whether %s is the fastest%s%s.")
            .formatted(
                what, names, further(among), gain.isEmpty() ? "" : ". Decided is that " + gain));
  }

  /** Returns by how much a row is faster than those that it beats. */
  private static List<String> beaten(Row row, List<Row> others, Facts facts) {
    return others.stream()
        .map(other -> facts.compare(row, other))
        .filter(comparison -> comparison.verdict() == Verdict.FASTER)
        .map(VerdictText::of)
        .toList();
  }

  /** Returns how many forks may decide; empty if that is not known. */
  private static String further(List<Comparison> open) {
    return open.stream()
        .map(Comparison::furtherForks)
        .flatMap(Stream::ofNullable)
        .max(Integer::compare)
        .map(
            forks ->
                forks == 1
                    ? "; about 1 further fork of each may decide"
                    : "; about " + forks + " further forks of each may decide")
        .orElse("");
  }

  private static String join(List<String> parts, String last) {
    int end = parts.size() - 1;
    return end < 1
        ? String.join("", parts)
        : String.join(", ", parts.subList(0, end)) + last + parts.get(end);
  }
}
