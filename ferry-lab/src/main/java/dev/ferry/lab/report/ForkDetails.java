package dev.ferry.lab.report;

import dev.ferry.lab.model.Disturbance;
import dev.ferry.lab.model.ForkFigures;
import dev.ferry.lab.model.RootText;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Shows what each row of a table was computed from, as an HTML table: the medians of its forks as
 * points, its samples as a histogram, what ran beside it, and its ceiling. It needs no script, and
 * says in words what it draws.
 *
 * @param longest the end of the scale, in the unit of the rows; it begins at 0
 */
record ForkDetails(double longest) {
  private static final int BINS = 24;
  private static final int PERCENT = 100;
  private static final double NANOS_PER_MILLI = 1e6;

  /** Returns a part of the table's section; empty if no row has figures of forks. */
  static String render(Tables.Section table) {
    List<Row> rows =
        table.rows().stream().filter(r -> r.measured() && !r.forks().isEmpty()).toList();
    if (rows.isEmpty()) {
      return "";
    }
    double longest =
        rows.stream().mapToDouble(r -> Objects.requireNonNull(r.time().max())).max().orElse(1);
    ForkDetails details = new ForkDetails(longest);
    Unit unit = rows.get(0).time().unit();
    return "<p class=\"says\">One point for the median of each fork, above the histogram of all"
        + " samples, on one scale from 0 to %s %s.</p>\n<table>\n<tbody>\n"
            .formatted(Figures.number(longest), unit)
        + rows.stream()
            .map(r -> details.line(r, table.groups().size() > 1))
            .collect(Collectors.joining())
        + "</tbody>\n</table>\n";
  }

  private String line(Row row, boolean withSetting) {
    return "<tr>%s<td class=\"drawn\"><div class=\"samples\" role=\"img\" aria-label=\"%s\">%s%s</div></td><td class=\"says\">%s</td></tr>\n"
        .formatted(
            head(row, withSetting),
            HtmlReport.escape(medians(row)),
            histogram(row.time().samples()),
            points(row.forks()),
            said(row).stream().map(HtmlReport::escape).collect(Collectors.joining("<br>")));
  }

  private static String head(Row row, boolean withSetting) {
    return "<th scope=\"row\">%s%s</th>"
        .formatted(
            HtmlReport.method(row),
            withSetting
                ? " <small>" + HtmlReport.escape(TableSummary.setting(row)) + "</small>"
                : "");
  }

  private String points(List<ForkFigures> forks) {
    return forks.stream()
        .map(f -> RootText.format("<b style=\"left:%.2f%%\"></b>", PERCENT * f.median() / longest))
        .collect(Collectors.joining());
  }

  private String histogram(List<Double> samples) {
    int[] counts = new int[BINS];
    for (double sample : samples) {
      counts[(int) Math.min(BINS - 1, BINS * sample / longest)]++;
    }
    int most = 1;
    for (int count : counts) {
      most = Math.max(most, count);
    }
    StringBuilder bars = new StringBuilder();
    for (int i = 0; i < BINS; i++) {
      if (counts[i] > 0) {
        bars.append(
            RootText.format(
                "<i style=\"left:%.2f%%;width:%.2f%%;height:%d%%\"></i>",
                (double) PERCENT * i / BINS,
                (double) PERCENT / BINS,
                Math.round((double) PERCENT * counts[i] / most)));
      }
    }
    return bars.toString();
  }

  private static List<String> said(Row row) {
    List<String> says = new ArrayList<>();
    says.add(medians(row));
    String beside = beside(row);
    if (!beside.isEmpty()) {
      says.add("Beside the samples: " + beside);
    }
    if (row.bound().ceiling() != null) {
      says.add(
          RootText.format("%.2f times its ceiling %s", row.bound().times(), row.bound().ceiling()));
    }
    return says;
  }

  private static String medians(Row row) {
    return "Medians of the forks: %s %s"
        .formatted(
            row.forks().stream()
                .map(f -> Figures.number(f.median()))
                .collect(Collectors.joining(", ")),
            row.time().unit());
  }

  /** Returns what ran beside the samples of all forks; empty if that is not known. */
  private static String beside(Row row) {
    Disturbance all = Disturbance.sum(row.forks().stream().map(ForkFigures::disturbance).toList());
    List<String> parts = new ArrayList<>();
    add(parts, "CPU of the compiler %s ms", millis(all, Disturbance::compilerNanos));
    add(parts, "CPU of other processes %s ms", millis(all, Disturbance::otherCpuNanos));
    add(parts, "taken by the hypervisor %s ms", millis(all, Disturbance::stealNanos));
    add(parts, "threads waited for a processor %s ms", millis(all, Disturbance::runDelayNanos));
    add(parts, "garbage collections %s", all.collections());
    return String.join(", ", parts);
  }

  private static void add(List<String> parts, String text, @Nullable Long value) {
    if (value != null) {
      parts.add(text.formatted(RootText.format("%,d", value)));
    }
  }

  private static @Nullable Long millis(
      Disturbance all, Function<Disturbance, @Nullable Long> figure) {
    Long nanos = figure.apply(all);
    return nanos == null ? null : (Long) Math.max(0, Math.round(nanos / NANOS_PER_MILLI));
  }
}
