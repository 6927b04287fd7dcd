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
    Row first = unbeaten.get(0);
    List<String> beaten =
        rows.stream()
            .filter(o -> !unbeaten.contains(o))
            .map(o -> facts.compare(first, o))
            .filter(c -> c.verdict() == Verdict.FASTER)
            .map(VerdictText::of)
            .toList();
    String gain = beaten.isEmpty() ? "" : first.method() + " is " + join(beaten, " and ");
    if (unbeaten.size() == 1) {
      return Optional.of(
          "%s, use %s: it is %s.".formatted(what, Methods.describe(first), join(beaten, " and ")));
    }
    List<Comparison> among =
        unbeaten.subList(1, unbeaten.size()).stream().map(o -> facts.compare(first, o)).toList();
    String names = join(unbeaten.stream().map(Methods::describe).toList(), " or ");
    if (among.stream().allMatch(c -> c.verdict() == Verdict.SAME)) {
      return Optional.of(
          "%s, use %s, which take the same time%s."
              .formatted(what, names, gain.isEmpty() ? "" : "; " + gain));
    }
    if (gain.isEmpty()) {
      return Optional.of(
          "%s, it is not decided whether %s is the fastest%s."
              .formatted(what, names, further(among)));
    }
    return Optional.of(
        "%s, use %s; which of them is faster is not decided%s. Decided is that %s."
            .formatted(what, names, further(among), gain));
  }

  /** Returns how many forks may decide; empty if that is not known. */
  private static String further(List<Comparison> open) {
    return open.stream()
        .map(Comparison::furtherForks)
        .flatMap(Stream::ofNullable)
        .max(Integer::compare)
        .map(forks -> ", and would take about %d further forks of each".formatted(forks))
        .orElse("");
  }

  private static String join(List<String> parts, String last) {
    int end = parts.size() - 1;
    return end < 1
        ? String.join("", parts)
        : String.join(", ", parts.subList(0, end)) + last + parts.get(end);
  }
}
