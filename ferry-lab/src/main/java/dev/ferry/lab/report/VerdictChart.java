package dev.ferry.lab.report;

import dev.ferry.lab.model.Comparison;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.Interval;
import dev.ferry.lab.model.RootText;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.Verdict;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Draws the ratios of all rows with their intervals as an HTML table: one line per row, sorted by
 * ratio, on a logarithmic scale. It needs no script, and its cells say in words what the bars show.
 * The A/A rows are the band of the noise floor.
 */
final class VerdictChart {
  /**
   * An interval may reach so much farther than the farthest estimate, as a factor. The rest of it
   * is cut off, so that it leaves room for the others.
   */
  private static final double BEYOND = 1.5;

  /** The space beside the farthest estimate, as a factor. */
  private static final double SPACE = 1.2;

  /** The axis shows at least the ratios from its reciprocal to this. */
  private static final double LEAST = 2.1;

  /** More lines scroll. */
  private static final int MANY = 24;

  private static final double SPACE_PERCENT = 3;
  private static final double LEAST_PERCENT = 3;
  private static final int MOST_TICKS = 7;
  private static final double PERCENT = 100;
  private static final DecimalFormatSymbols DIGITS = DecimalFormatSymbols.getInstance(Locale.ROOT);

  private final double low;
  private final double high;
  private final Criteria criteria;
  private final double[] ticks;
  private final String labels;

  private VerdictChart(Criteria criteria, List<Line> lines) {
    this.criteria = criteria;
    double fastest = lines.stream().mapToDouble(Line::ratio).min().orElse(1);
    double slowest = lines.stream().mapToDouble(Line::ratio).max().orElse(1);
    List<Interval> intervals = lines.stream().map(Line::interval).filter(Objects::nonNull).toList();
    low =
        intervals.stream()
            .mapToDouble(i -> Math.max(i.low(), fastest / BEYOND))
            .reduce(Math.min(fastest / SPACE, 1 / LEAST), Math::min);
    high =
        intervals.stream()
            .mapToDouble(i -> Math.min(i.high(), slowest * BEYOND))
            .reduce(Math.max(slowest * SPACE, LEAST), Math::max);
    ticks = ticks(low, high);
    labels =
        DoubleStream.of(ticks)
            .mapToObj(t -> mark("span", "label", t, new DecimalFormat("0.####x", DIGITS).format(t)))
            .collect(Collectors.joining());
  }

  /** A row of the picture. It has no interval if there are too few forks. */
  private record Line(Row row, Comparison comparison, double ratio, @Nullable Interval interval) {
    static @Nullable Line of(Row row) {
      Comparison comparison = row.comparison();
      Double ratio = row.time().ratio();
      return comparison == null
              || comparison.verdict() == Verdict.NOT_COMPARABLE
              || ratio == null
              || ratio <= 0
              || row.isControl()
          ? null
          : new Line(row, comparison, ratio, comparison.time());
    }
  }

  private static List<Line> lines(List<Row> group) {
    return group.stream()
        .map(Line::of)
        .filter(Objects::nonNull)
        .sorted(Comparator.comparingDouble(Line::ratio))
        .toList();
  }

  /** Returns a section; empty if the run compares nothing. */
  static String render(RunDocument run) {
    List<Tables.Section> tables = Tables.of(run);
    List<Line> lines =
        tables.stream().flatMap(t -> t.groups().stream()).flatMap(g -> lines(g).stream()).toList();
    if (lines.isEmpty()) {
      return "";
    }
    VerdictChart chart = new VerdictChart(run.criteria(), lines);
    return "<section class=\"verdicts\">\n<h2>Verdicts <small>time divided by the baseline's; left"
        + " of 1x is faster</small></h2>\n<div class=\"%s\"><table>\n<colgroup><col><col><col><col></colgroup>\n"
            .formatted(lines.size() > MANY ? "tall" : "")
        + tables.stream()
            .flatMap(t -> t.groups().stream().map(g -> chart.group(t.name(), g)))
            .collect(Collectors.joining())
        + "</table></div>\n<details>\n<summary>What the picture and the words"
        + " mean</summary>\n<ul>\n<li>Point: the ratio. Bar: its interval, with an arrow where it"
        + " extends beyond the chart; with fewer than three forks there is none. Dark band: the"
        + " threshold. Light band: the noise floor, if it is wider.</li>\n"
        + VerdictText.legend(run).stream()
            .map(l -> "<li>" + HtmlReport.escape(l) + "</li>\n")
            .collect(Collectors.joining())
        + "</ul>\n</details>\n</section>\n";
  }

  /** Draws the rows at one setting. */
  private String group(String table, List<Row> group) {
    List<Line> lines = lines(group);
    if (lines.isEmpty()) {
      return "";
    }
    Row any = lines.get(0).row();
    String baseline =
        group.stream()
            .filter(Row::isBaseline)
            .map(r -> "1x is %s, %s".formatted(r.method(), measured(r)))
            .findFirst()
            .orElse("");
    String grid = grid(any.key());
    String setting = any.parameters().isEmpty() ? "" : TableSummary.setting(any);
    return "<tbody>\n<tr class=\"group\"><th colspan=\"2\" scope=\"rowgroup\">%s <small>%s</small></th><td class=\"track\" aria-hidden=\"true\">%s</td><td class=\"says\"><small>%s</small></td></tr>\n"
            .formatted(
                HtmlReport.escape(table),
                HtmlReport.escape(setting),
                labels,
                HtmlReport.escape(baseline))
        + lines.stream().map(line -> line(line, grid)).collect(Collectors.joining())
        + "</tbody>\n";
  }

  /** Returns what stands behind the bars of a row: the noise floor is that of its table. */
  private String grid(RowKey row) {
    double threshold = 1 + criteria.threshold();
    double difference = 1 + criteria.of(row, row).smallestDifference();
    return bar("floor", 1 / difference, difference)
        + bar("threshold", 1 / threshold, threshold)
        + DoubleStream.of(ticks)
            .mapToObj(t -> mark("i", t == 1 ? "one" : "tick", t, ""))
            .collect(Collectors.joining());
  }

  private String line(Line line, String grid) {
    Interval interval = line.interval();
    return "<tr><th scope=\"row\">%s</th><td class=\"median\">%s</td><td class=\"track\" aria-hidden=\"true\">%s%s%s</td><td class=\"says\">%s</td></tr>\n"
        .formatted(
            HtmlReport.method(line.row()),
            HtmlReport.escape(measured(line.row())),
            grid,
            interval == null ? "" : interval(style(line, interval), interval),
            mark("b", interval == null ? "point few" : "point", line.ratio(), ""),
            HtmlReport.escape(says(line.comparison())));
  }

  private String style(Line line, Interval interval) {
    return "interval "
        + line.comparison().verdict().label().replace(' ', '-')
        + (interval.low() < low ? " under" : "")
        + (interval.high() > high ? " over" : "");
  }

  /** Returns the verdict and its size, without the baseline, which the heading names. */
  private static String says(Comparison comparison) {
    Interval time = comparison.time();
    String verdict = comparison.verdict().label();
    return switch (comparison.verdict()) {
      case FASTER -> VerdictText.times(Objects.requireNonNull(time).inverse()) + " " + verdict;
      case SLOWER -> VerdictText.times(Objects.requireNonNull(time)) + " " + verdict;
      default -> verdict + VerdictText.why(comparison);
    };
  }

  private static String measured(Row row) {
    int forks = row.forks().size();
    return "%s %s, %d %s"
        .formatted(
            Figures.number(Objects.requireNonNullElse(row.typicalTime(), 0.0)),
            row.time().unit(),
            forks,
            forks == 1 ? "fork" : "forks");
  }

  /** Returns the ratios that are named on the axis: powers of two, or of a power of two. */
  private static double[] ticks(double low, double high) {
    double base = 2;
    while (Math.log(high / low) / Math.log(base) >= MOST_TICKS) {
      base *= 2;
    }
    double step = base;
    return IntStream.rangeClosed(
            (int) Math.ceil(Math.log(low) / Math.log(step)),
            (int) Math.floor(Math.log(high) / Math.log(step)))
        .mapToDouble(n -> Math.pow(step, n))
        .toArray();
  }

  private String bar(String style, double from, double to) {
    return box(style, position(from), position(to));
  }

  /** Draws an interval, wide enough to show beside its point. */
  private String interval(String style, Interval interval) {
    double left = position(interval.low());
    double right = position(interval.high());
    double more = Math.max(0, LEAST_PERCENT - (right - left)) / 2;
    return box(style, left - more, right + more);
  }

  private static String box(String style, double left, double right) {
    return RootText.format(
        "<i class=\"%s\" style=\"left:%.2f%%;width:%.2f%%\"></i>", style, left, right - left);
  }

  private String mark(String element, String style, double at, String text) {
    return RootText.format(
        "<%1$s class=\"%2$s\" style=\"left:%3$.2f%%\">%4$s</%1$s>",
        element, style, position(at), text);
  }

  /** Returns the place of a ratio in percent of the width. */
  private double position(double ratio) {
    double part = Math.log(ratio / low) / Math.log(high / low);
    return SPACE_PERCENT + (PERCENT - 2 * SPACE_PERCENT) * Math.max(0, Math.min(1, part));
  }
}
