package dev.ferry.lab.report;

import dev.ferry.lab.model.Comparison;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.Interval;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RunDocument;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Draws the intervals of all ratios as an HTML table: one line per row, sorted by ratio, on a
 * logarithmic scale. It needs no script, and its cells say in words what the bars show.
 */
final class VerdictChart {
  /** Longer intervals are cut off, so that they leave room for the others. */
  private static final double LONGEST = Math.log(8);

  private static final double PERCENT = 100;

  private final Criteria criteria;
  private final double scale;

  private VerdictChart(Criteria criteria, double scale) {
    this.criteria = criteria;
    this.scale = scale;
  }

  /** Returns a section; empty if the run compares nothing. */
  static String render(RunDocument run) {
    Criteria criteria = run.criteria();
    List<Row> rows = run.rows().stream().filter(VerdictChart::drawn).toList();
    if (criteria == null || rows.isEmpty()) {
      return "";
    }
    double farthest =
        rows.stream()
            .map(VerdictChart::time)
            .mapToDouble(t -> Math.max(Math.abs(Math.log(t.low())), Math.abs(Math.log(t.high()))))
            .max()
            .orElse(0);
    VerdictChart chart =
        new VerdictChart(
            criteria,
            Math.min(LONGEST, Math.max(farthest, 2 * Math.log1p(criteria.smallestDifference()))));
    return "<section class=\"verdicts\">\n<h2>Verdicts <small>time divided by the baseline's, 95 %"
        + " interval; left of the line is faster</small></h2>\n<table>\n"
        + Tables.of(run).stream().map(chart::table).collect(Collectors.joining())
        + "</table>\n<ul class=\"notes\">\n"
        + VerdictText.legend(run).stream()
            .map(l -> "<li>" + HtmlReport.escape(l) + "</li>\n")
            .collect(Collectors.joining())
        + "</ul>\n</section>\n";
  }

  private static boolean drawn(Row row) {
    Comparison comparison = row.comparison();
    return comparison != null && comparison.time() != null;
  }

  private static Interval time(Row row) {
    return Objects.requireNonNull(Objects.requireNonNull(row.comparison()).time());
  }

  private String table(Tables.Section table) {
    List<Row> rows =
        table.rows().stream()
            .filter(VerdictChart::drawn)
            .sorted(Comparator.comparingDouble(r -> time(r).value()))
            .toList();
    return rows.isEmpty()
        ? ""
        : "<tbody>\n<tr><th colspan=\"3\" scope=\"rowgroup\">%s</th></tr>\n"
                .formatted(HtmlReport.escape(table.suite() + ": " + table.name()))
            + rows.stream()
                .map(r -> line(r, table.groups().size() > 1))
                .collect(Collectors.joining())
            + "</tbody>\n";
  }

  private String line(Row row, boolean withSetting) {
    Comparison comparison = Objects.requireNonNull(row.comparison());
    double threshold = Math.log1p(criteria.threshold());
    double difference = Math.log1p(criteria.smallestDifference());
    Interval time = time(row);
    return "<tr>%s<td class=\"track\" aria-hidden=\"true\">%s%s%s%s</td><td class=\"says\">%s</td></tr>\n"
        .formatted(
            HtmlReport.rowHead(row, withSetting),
            bar("floor", -difference, difference),
            bar("threshold", -threshold, threshold),
            "<i class=\"one\"></i>",
            bar(
                "interval " + comparison.verdict().label().replace(' ', '-'),
                Math.log(time.low()),
                Math.log(time.high())),
            HtmlReport.escape(VerdictText.of(comparison)));
  }

  private String bar(String style, double low, double high) {
    double left = position(low);
    return String.format(
        Locale.ROOT,
        "<i class=\"%s\" style=\"left:%.2f%%;width:%.2f%%\"></i>",
        style,
        left,
        Math.max(0.5, position(high) - left));
  }

  /** Returns the place of a logarithm of a ratio in percent of the width. */
  private double position(double log) {
    return PERCENT * (1 + Math.max(-1, Math.min(1, log / scale))) / 2;
  }
}
