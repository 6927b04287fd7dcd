package dev.ferry.lab.report;

import dev.ferry.lab.model.Interval;
import dev.ferry.lab.model.RootText;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.stats.Rows;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;

/**
 * Renders the times of a run as an SVG image for a README, with two tables side by side. It shows
 * what the chart of the page shows, without the A/A rows, which need an explanation.
 */
public final class SvgReport {
  private static final int COLUMN = 470;
  private static final int COLUMNS = 2;
  private static final int MARGIN = 16;
  private static final int LETTER = 7;
  private static final int SMALL_LETTER = 6;
  private static final int LONGEST_KEY = 24;
  private static final int LONGEST_NAME = 32;
  private static final int BAR = 13;
  private static final int LINE = 18;
  private static final int NAME = 14;
  private static final int HEADING = 22;
  private static final int TOP = 76;
  private static final int GAP = 20;

  private static final DecimalFormatSymbols DIGITS = DecimalFormatSymbols.getInstance(Locale.ROOT);

  private static final String STYLE =
      """
      <style>
      text{font:12px system-ui,sans-serif;fill:#1f2933}
      .h{font-size:16px;font-weight:600}.s{fill:#66737f;font-size:11px}
      .t{fill:#66737f;font-size:11px;text-anchor:middle}.v{text-anchor:end}
      path{fill:none;stroke:#1f2933;stroke-width:1.2}.g{stroke:#dde3e9;stroke-width:1}
      .bg{fill:#fff}
      @media (prefers-color-scheme:dark){text{fill:#e4e9ee}.s,.t{fill:#9aa7b3}.bg{fill:#14191f}path{stroke:#e4e9ee}.g{stroke:#2a333c}}
      </style>
      """;

  private final StringBuilder out = new StringBuilder();
  private final MethodColors colors;

  private SvgReport(RunDocument run) {
    colors = MethodColors.of(run);
  }

  /** Renders the content of {@code report.svg}. */
  public static String render(RunDocument run) {
    return new SvgReport(run).draw(Tables.of(run));
  }

  private String draw(List<Tables.Section> tables) {
    List<Tables.Section> drawn = tables.stream().filter(t -> !measured(t).isEmpty()).toList();
    int y = 0;
    for (int i = 0; i < drawn.size(); i += COLUMNS) {
      int height = 0;
      for (int j = i; j < Math.min(drawn.size(), i + COLUMNS); j++) {
        height = Math.max(height, table(drawn.get(j), MARGIN + (j - i) * COLUMN, y));
      }
      y += height;
    }
    int width = MARGIN + COLUMN * Math.max(1, Math.min(COLUMNS, drawn.size()));
    return """
        <svg xmlns="http://www.w3.org/2000/svg" width="%1$d" height="%2$d" viewBox="0 0 %1$d %2$d" role="img">
        <title>Time of one operation</title>
        %3$s<rect class="bg" width="100%%" height="100%%"/>
        %4$s</svg>
        """
        .formatted(width, y, STYLE, out);
  }

  /** Returns the groups of rows that have bars, each with the fastest row first. */
  private static List<List<Row>> measured(Tables.Section table) {
    return table.groups().stream()
        .map(
            g ->
                g.stream()
                    .filter(r -> r.measured() && !r.isControl())
                    .sorted(Tables.FASTEST_FIRST)
                    .toList())
        .filter(g -> !g.isEmpty())
        .toList();
  }

  /** Draws a table and returns its height. */
  private int table(Tables.Section table, int left, int top) {
    List<List<Row>> groups = measured(table);
    List<Row> rows = groups.stream().flatMap(List::stream).toList();
    boolean headings = !rows.get(0).parameters().isEmpty();
    boolean named = rows.stream().anyMatch(row -> row.name() != null);
    int line = LINE + (named ? NAME : 0);
    int height = TOP + rows.size() * line + (headings ? groups.size() * HEADING : 0) + GAP;
    text("h", left, top + 26, table.name());
    text("s", left, top + 43, says(rows));
    int label =
        10
            + Math.max(
                LETTER * longest(rows, SvgReport::key),
                SMALL_LETTER * longest(rows, SvgReport::name));
    int value = LETTER * rows.stream().mapToInt(r -> value(r).length()).max().orElse(0);
    Plot plot = new Plot(TimeAxis.of(rows), left + label, COLUMN - 2 * MARGIN - label - value);
    ticks(plot, top + TOP - 6, top + height - GAP);
    int y = top + TOP;
    for (List<Row> group : groups) {
      if (headings) {
        text("s", left, y + 14, TableSummary.setting(group.get(0)));
        y += HEADING;
      }
      for (Row row : group) {
        bar(row, plot, left, y);
        y += line;
      }
    }
    return height;
  }

  private static String says(List<Row> rows) {
    Row any = rows.get(0);
    return any.time().unit()
        + (TimeAxis.of(rows).ticks().get(0) > 0 ? " on a logarithmic axis" : ", shorter is better")
        + "; line: 95 % interval"
        + (any.baseline() == null ? "" : "; x: times " + any.baseline());
  }

  /**
   * Where times are drawn.
   *
   * @param left the place of 0, in pixels
   * @param width the place of the axis' end, in pixels from there
   */
  private record Plot(TimeAxis axis, int left, int width) {
    double x(double time) {
      return left + axis.place(time) * width;
    }
  }

  private void ticks(Plot plot, int top, int bottom) {
    double free = 0;
    for (double tick : plot.axis().ticks()) {
      double x = plot.x(tick);
      path("g", "M%.1f %dV%d", x, top, bottom);
      String label = new DecimalFormat("#,##0.####", DIGITS).format(tick);
      double half = LETTER * label.length() / 2.0;
      if (x - half >= free) {
        text("t", (int) Math.round(x), top - 4, label);
        free = x + half;
      }
    }
  }

  private void bar(Row row, Plot plot, int left, int y) {
    text("", left, y + 11, key(row));
    text("s", left, y + 11 + NAME, name(row));
    double time = Objects.requireNonNull(row.typicalTime());
    out.append(
        RootText.format(
            "<rect fill=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>%n",
            colors.of(row), plot.left(), y, Math.max(1, plot.x(time) - plot.left()), BAR));
    Interval interval = Rows.interval(row);
    if (interval != null) {
      whisker(plot, interval, y + BAR / 2.0);
    }
    text("v", left + COLUMN - MARGIN, y + 11, value(row));
  }

  private static String value(Row row) {
    Double ratio = row.time().ratio();
    return Figures.number(Objects.requireNonNull(row.typicalTime()))
        + (ratio == null || row.isBaseline() ? "" : Cells.number(ratio, " (%.2fx)"));
  }

  /** Draws an interval. One that goes on beyond the axis ends with an arrow. */
  private void whisker(Plot plot, Interval interval, double y) {
    double low = plot.x(interval.low());
    double high = plot.x(interval.high());
    path("", "M%.1f %.1fH%.1fM%.1f %.1fv8", low, y, high, low, y - 4);
    path(
        "",
        interval.high() > plot.axis().end() ? "M%.1f %.1fl4 4l-4 4" : "M%.1f %.1fv8",
        interval.high() > plot.axis().end() ? high - 4 : high,
        y - 4);
  }

  private static String key(Row row) {
    return shortened(row.method(), LONGEST_KEY);
  }

  /** Returns the name for people; empty if there is none. */
  private static String name(Row row) {
    return shortened(Objects.requireNonNullElse(row.name(), ""), LONGEST_NAME);
  }

  private static String shortened(String text, int longest) {
    int length = text.codePointCount(0, text.length());
    return length > longest
        ? text.substring(0, text.offsetByCodePoints(0, longest - 1)) + "…"
        : text;
  }

  private static int longest(List<Row> rows, Function<Row, String> text) {
    return rows.stream().mapToInt(row -> text.apply(row).length()).max().orElse(0);
  }

  private void path(String style, String path, Object... places) {
    out.append("<path class=\"%s\" d=\"".formatted(style));
    out.append(RootText.format(path, places)).append("\"/>\n");
  }

  private void text(String style, int x, int y, String text) {
    if (!text.isEmpty()) {
      out.append(
          "<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>%n"
              .formatted(style, x, y, HtmlReport.escape(text)));
    }
  }
}
