package dev.ferry.lab.report;

import dev.ferry.lab.model.Comparison;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.Interval;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.Verdict;
import dev.ferry.lab.stats.RunComparison;
import dev.ferry.lab.stats.RunComparison.Pair;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Renders the comparison of two runs as text. */
public final class ComparisonText {
  private static final List<String> HEAD =
      List.of("Row", "Setting", "Before", "After", "Forks", "Ratio", "Verdict");
  private static final int NAMES = 2;
  private static final int MOST_NAMED = 6;

  private ComparisonText() {}

  /** Returns the differences of the runs and a table of their common rows. */
  public static String render(RunComparison runs) {
    StringBuilder out = new StringBuilder();
    runs.obstacles().forEach(o -> out.append("Not comparable: ").append(o).append('\n'));
    runs.differences().forEach(d -> out.append("Different: ").append(d).append('\n'));
    if (!runs.pairs().isEmpty()) {
      out.append('\n')
          .append(
              MarkdownTable.render(
                  HEAD, runs.pairs().stream().map(ComparisonText::line).toList(), NAMES))
          .append("\nThe intervals of Ratio hold for all rows together with 95 %.\n");
    }
    return out.toString();
  }

  private static List<String> line(Pair pair) {
    Row row = pair.after();
    return List.of(
        row.key().tableName() + " " + row.method(),
        row.key().setting(),
        time(pair.before()),
        time(row),
        forks(pair),
        VerdictText.interval(pair.time()),
        verdict(pair.comparison()));
  }

  private static String verdict(Comparison comparison) {
    String label = comparison.verdict().label();
    return comparison.verdict() == Verdict.NOT_COMPARABLE
        ? label + ": " + comparison.reason()
        : label;
  }

  private static String forks(Pair pair) {
    return pair.before().forks().size() + " and " + pair.after().forks().size();
  }

  /** Returns the time of a row, of which the ratio is a quotient. */
  private static String time(Row row) {
    Double time = row.typicalTime();
    return Cells.number(time, "%,." + Cells.digits(time == null ? 0 : time) + "f ")
        + row.time().unit();
  }

  /**
   * Returns what a gate says: which rows are slower by more than the limit, and how much slower a
   * row may be without having been found.
   *
   * @param strict whether it wants proof that no row is slower
   */
  public static String gate(RunComparison runs, boolean strict) {
    if (!runs.obstacles().isEmpty()) {
      return "gate: not judged, since the runs are not comparable\n";
    }
    List<String> lines = new ArrayList<>();
    runs.slowest().ifPresent(slowest -> lines.add(verdict(runs, slowest)));
    if (!runs.unjudged().isEmpty()) {
      lines.add(
          "not judged, since fewer than three forks are no evidence (a longer --time makes more): "
              + names(runs.unjudged(), pair -> pair.after().key() + ", " + forks(pair) + " forks"));
    }
    if (strict && !runs.perhapsSlower().isEmpty()) {
      lines.add(
          "there is no proof (more forks may give it) that these are not slower by more than "
              + VerdictText.percent(runs.criteria().threshold())
              + ": "
              + names(runs.perhapsSlower(), pair -> pair.after().key().toString()));
    }
    return lines.stream().map(line -> "gate: " + line + "\n").collect(Collectors.joining());
  }

  private static String verdict(RunComparison runs, Pair slowest) {
    Criteria criteria = runs.criteria();
    boolean noisy = criteria.smallestDifference() > criteria.threshold();
    String limit =
        criteria.floors() == null
            ? VerdictText.percent(criteria.smallestDifference())
                + (noisy ? " (the noise floor)" : "")
            : VerdictText.percent(criteria.threshold())
                + (noisy ? " or the noise floor of its table, if that is larger," : "");
    List<Pair> slower =
        runs.judged().stream().filter(p -> p.comparison().verdict() == Verdict.SLOWER).toList();
    return (slower.isEmpty()
            ? "no row is slower by more than " + limit + " for certain"
            : "slower by more than %s for certain: %s"
                .formatted(
                    limit,
                    names(
                        slower,
                        pair ->
                            "%s by %s at least"
                                .formatted(
                                    pair.after().key(),
                                    VerdictText.percent(time(pair).low() - 1)))))
        + "; "
        + possible(time(slowest).high() - 1, slowest.after().key());
  }

  private static String possible(double slower, RowKey row) {
    if (slower <= 0) {
      return "none is slower at all";
    }
    return slower > 1
        ? "more than twice as slow is still possible in %s, whose forks differ much; a longer --time makes more of them"
            .formatted(row)
        : "%s slower is still possible in %s".formatted(VerdictText.percent(slower), row);
  }

  private static Interval time(Pair judged) {
    return Objects.requireNonNull(judged.time());
  }

  private static String names(List<Pair> pairs, Function<Pair, String> name) {
    String named = pairs.stream().limit(MOST_NAMED).map(name).collect(Collectors.joining("; "));
    int more = pairs.size() - MOST_NAMED;
    return more > 0 ? named + "; and " + more + " more" : named;
  }
}
