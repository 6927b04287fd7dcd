package dev.ferry.lab.report;

import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RunDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Renders the mean times of a run as an SVG image for a README, with the tables side by side. */
public final class SvgReport {
  private static final int COLUMN = 470;
  private static final int LABEL = 118;
  private static final int BAR = 13;
  private static final int LINE = 16;
  private static final int GROUP_GAP = 30;
  private static final int TOP = 58;
  private static final int LONGEST = COLUMN - LABEL - 120;

  /** The number of colors. Further methods share the last color. */
  private static final int STYLES = 10;

  private static final String STYLE =
      """
      <style>
      text{font:12px system-ui,sans-serif;fill:#1f2933}
      .h{font-size:16px;font-weight:600}.s{fill:#66737f;font-size:11px}
      .m0{fill:#94a3b8}.m1{fill:#4f9ddb}.m2{fill:#0d9373}.m3{fill:#d98a2b}.m4{fill:#a06bc9}.m5{fill:#c9556b}
      .m6{fill:#7a8f3a}.m7{fill:#3f7f8c}.m8{fill:#8a6d5b}.m9{fill:#5b6ee1}
      .bg{fill:#fff}
      @media (prefers-color-scheme:dark){text{fill:#e4e9ee}.s{fill:#9aa7b3}.bg{fill:#14191f}}
      </style>
      """;

  private SvgReport() {}

  /** Renders the content of {@code report.svg}. */
  public static String render(RunDocument run) {
    List<Tables.Section> tables = Tables.of(run);
    List<String> methods = run.rows().stream().map(Row::method).distinct().toList();
    int height = 20 + tables.stream().mapToInt(SvgReport::height).max().orElse(0);
    StringBuilder out = new StringBuilder();
    out.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$d\" height=\"%2$d\" viewBox=\"0 0 %1$d %2$d\" role=\"img\">\n"
            .formatted(COLUMN * Math.max(1, tables.size()), height));
    out.append("<title>Mean time of one operation</title>\n").append(STYLE);
    out.append("<rect class=\"bg\" width=\"100%\" height=\"100%\"/>\n");
    for (int i = 0; i < tables.size(); i++) {
      table(out, tables.get(i), methods, 16 + i * COLUMN);
    }
    return out.append("</svg>\n").toString();
  }

  private static int height(Tables.Section table) {
    return TOP + measured(table).stream().mapToInt(g -> GROUP_GAP + LINE * g.size()).sum();
  }

  /** Returns the groups of rows that have bars. */
  private static List<List<Row>> measured(Tables.Section table) {
    return table.groups().stream()
        .map(g -> g.stream().filter(Row::measured).toList())
        .filter(g -> !g.isEmpty())
        .toList();
  }

  private static void table(
      StringBuilder out, Tables.Section table, List<String> methods, int left) {
    text(out, "h", left, 26, table.name());
    text(out, "s", left, 43, "mean of one operation, " + unit(table) + "; shorter is better");
    double greatest = table.rows().stream().map(SvgReport::mean).max(Double::compare).orElse(0.0);
    int y = TOP;
    for (List<Row> group : measured(table)) {
      text(out, "s", left, y + 14, setting(group.get(0)));
      y += 20;
      for (Row row : group) {
        bar(out, row, methods.indexOf(row.method()), left, y, greatest);
        y += LINE;
      }
      y += GROUP_GAP - 20;
    }
  }

  private static void bar(
      StringBuilder out, Row row, int method, int left, int y, double greatest) {
    double width = greatest == 0 ? 0 : Math.max(1, mean(row) / greatest * LONGEST);
    text(out, "", left, y + 11, row.method());
    out.append(
        String.format(
            Locale.ROOT,
            "<rect class=\"m%d\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>%n",
            Math.min(method, STYLES - 1),
            left + LABEL,
            y,
            width,
            BAR));
    Double ratio = row.time().ratio();
    String times =
        ratio == null || row.isBaseline() ? "" : String.format(Locale.ROOT, " (%.2fx)", ratio);
    text(
        out,
        "",
        left + LABEL + (int) width + 6,
        y + 11,
        String.format(Locale.ROOT, "%,.1f", mean(row)) + times);
  }

  private static String unit(Tables.Section table) {
    return table.rows().stream().map(r -> r.time().unit()).findFirst().orElse("");
  }

  private static double mean(Row row) {
    Double mean = row.time().mean();
    return mean == null ? 0 : mean;
  }

  private static String setting(Row row) {
    List<String> parts = new ArrayList<>();
    row.parameters().forEach((k, v) -> parts.add(k + " " + Cells.parameter(v)));
    return parts.stream().collect(Collectors.joining(", "));
  }

  private static void text(StringBuilder out, String style, int x, int y, String text) {
    out.append(
        "<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>%n"
            .formatted(style, x, y, HtmlReport.escape(text)));
  }
}
