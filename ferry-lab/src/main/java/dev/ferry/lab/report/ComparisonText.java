package dev.ferry.lab.report;

import dev.ferry.lab.model.Row;
import dev.ferry.lab.stats.RunComparison;
import java.util.List;

/** Renders the comparison of two runs as text. */
public final class ComparisonText {
  private static final List<String> HEAD =
      List.of("Row", "Setting", "Before", "After", "Ratio 95 %", "Verdict");
  private static final int NAMES = 2;

  private ComparisonText() {}

  /** Returns the differences of the runs and a table of their common rows. */
  public static String render(RunComparison runs) {
    StringBuilder out = new StringBuilder();
    runs.obstacles().forEach(o -> out.append("Not comparable: ").append(o).append('\n'));
    runs.differences().forEach(d -> out.append("Different ").append(d).append('\n'));
    if (!runs.pairs().isEmpty()) {
      out.append('\n')
          .append(
              MarkdownTable.render(
                  HEAD, runs.pairs().stream().map(ComparisonText::line).toList(), NAMES));
    }
    return out.toString();
  }

  private static List<String> line(RunComparison.Pair pair) {
    Row row = pair.after();
    return List.of(
        row.key().suite() + "/" + row.key().table() + " " + row.method(),
        row.key().setting(),
        median(pair.before()),
        median(row),
        VerdictText.interval(pair.comparison().time()),
        pair.comparison().verdict().label());
  }

  private static String median(Row row) {
    Double median = row.time().median();
    return Cells.number(median, "%,." + Cells.digits(median == null ? 0 : median) + "f ")
        + row.time().unit();
  }
}
