package dev.ferry.lab.report;

import dev.ferry.lab.model.Interval;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.Status;
import dev.ferry.lab.stats.Rows;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Renders a run as one HTML file that works offline: the charts and their library are embedded. */
public final class HtmlReport {
  /**
   * The path of the bundled build in the jar of the charts library. It contains the version of the
   * dependency.
   */
  private static final String ECHARTS =
      "/META-INF/resources/_static/echarts/6.0.0/dist/echarts.min.js";

  /** Where a part of the page is put. */
  private static final Pattern PLACE = Pattern.compile("\\{\\{([A-Z]+)}}");

  private static final String REFRESH = "<meta http-equiv=\"refresh\" content=\"10\">\n";

  private HtmlReport() {}

  /**
   * Renders a page.
   *
   * @param goesOn whether the run goes on, so that the page loads itself again every ten seconds,
   *     until it is overwritten
   */
  public static String render(RunDocument run, boolean goesOn) {
    // In one pass: a name in the run may look like a place.
    return PLACE
        .matcher(resource("report.html"))
        .replaceAll(place -> Matcher.quoteReplacement(part(place.group(1), run, goesOn)));
  }

  private static String part(String place, RunDocument run, boolean goesOn) {
    return switch (place) {
      case "STYLE" -> resource("report.css");
      case "REFRESH" -> goesOn ? REFRESH : "";
      case "STATE" -> state(run, goesOn);
      case "PROFILED" ->
          EnvironmentText.profiled(run)
              .map(p -> "<p class=\"incomplete\">" + escape(p) + "</p>")
              .orElse("");
      case "ENVIRONMENT" ->
          EnvironmentText.lines(run).stream()
              .map(l -> "<li>" + escape(l) + "</li>")
              .collect(Collectors.joining("\n"));
      case "ADVICE" -> advice(run);
      case "VERDICTS" -> VerdictChart.render(run);
      case "TABLES" -> {
        MethodColors colors = MethodColors.of(run);
        yield Tables.of(run).stream()
            .map(table -> section(table, colors, run.complete()))
            .collect(Collectors.joining());
      }
      case "CEILINGS" -> ceilings(run);
      // Escapes '<' so that the data cannot end the script element. The JSON stays equivalent.
      case "DATA" -> RunJson.text(run).replace("<", "\\u003c");
      case "ECHARTS" -> resource(ECHARTS);
      default -> throw new IllegalStateException("the page has an unknown place " + place);
    };
  }

  private static String state(RunDocument run, boolean goesOn) {
    if (goesOn) {
      return "<p class=\"says\">This run continues; the page reloads itself.</p>";
    }
    return run.complete()
        ? ""
        : "<p class=\"incomplete\">This run ended early: what follows is only what was measured"
            + " until then.</p>";
  }

  private static String advice(RunDocument run) {
    return run.advice().isEmpty()
        ? ""
        : run.advice().stream()
            .map(a -> "<li>" + escape(a) + "</li>\n")
            .collect(
                Collectors.joining(
                    "",
                    "<section class=\"advice\">\n<h2>%s <small>%s</small></h2>\n<ul>\n"
                        .formatted(TextReport.QUESTION, TextReport.limits(run)),
                    "</ul>\n</section>\n"));
  }

  private static String section(Tables.Section table, MethodColors colors, boolean complete) {
    List<Row> rows = table.rows();
    List<TableNotes.Note> notes = TableNotes.of(table);
    StringBuilder out = new StringBuilder();
    out.append(
        "<section data-suite=\"%s\" data-table=\"%s\" data-ticks=\"%s\" data-times=\"%s\" data-colors=\"%s\">\n"
            .formatted(
                escape(table.suite()),
                escape(table.name()),
                TimeAxis.of(rows).ticks(),
                rows.stream().map(HtmlReport::time).toList(),
                rows.stream().map(colors::of).collect(Collectors.joining(" "))));
    out.append("<h2>").append(escape(table.name()));
    out.append(" <small>").append(escape(subtitle(table))).append("</small></h2>\n");
    if (rows.stream().anyMatch(Row::measured)) {
      out.append("<div class=\"metrics\" role=\"group\" aria-label=\"Figure to draw\"></div>\n");
      out.append("<div class=\"tall\"><div class=\"chart\" role=\"img\"");
      out.append(" aria-label=\"Chart of the table below\"></div></div>\n");
      out.append("<p class=\"says\"></p>\n");
    }
    notes.stream()
        .filter(TableNotes.Note::trouble)
        .map(n -> "<p class=\"failure\">" + escape(n.text()) + "</p>\n")
        .forEach(out::append);
    figures(out, table, complete);
    out.append("<details class=\"columns\">\n<summary>All columns</summary>\n");
    table(out, table);
    out.append("</details>\n");
    out.append("<details class=\"forks\">\n<summary>Notes, and the forks, samples and disturbance");
    out.append(" of each row</summary>\n<ul>\n");
    notes.stream()
        .filter(n -> !n.trouble())
        .map(n -> "<li>" + escape(n.text()) + "</li>\n")
        .forEach(out::append);
    return out.append("</ul>\n")
        .append(ForkDetails.render(table))
        .append("</details>\n</section>\n")
        .toString();
  }

  /** Returns the suite of a table, and its setting if there is only one. */
  private static String subtitle(Tables.Section table) {
    boolean one = table.groups().size() == 1 && !table.parameters().isEmpty();
    return table.suite() + (one ? ", " + TableSummary.setting(table.rows().get(0)) : "");
  }

  /** Returns the time of a row for the chart, with its interval if there is one. */
  private static List<@Nullable Double> time(Row row) {
    Interval interval = Rows.interval(row);
    return interval == null
        ? Collections.singletonList(row.typicalTime())
        : List.of(interval.value(), interval.low(), interval.high());
  }

  private static String ceilings(RunDocument run) {
    List<List<String>> lines = CeilingCells.lines(run);
    if (lines.isEmpty()) {
      return "";
    }
    StringBuilder out = new StringBuilder("<section>\n<h2>Ceilings</h2>\n");
    out.append("<p class=\"says\">How fast this machine does single parts of the work, measured");
    out.append(" in the same run.</p>\n");
    head(out, "scroll", CeilingCells.HEAD);
    out.append("<tbody>\n");
    lines.forEach(line -> line(out, escaped(line), 1, line.contains("failed")));
    out.append("</tbody>\n</table></div>\n<ul class=\"notes\">\n");
    CeilingCells.notes(run).forEach(n -> out.append("<li>").append(escape(n)).append("</li>\n"));
    return out.append("</ul>\n</section>\n").toString();
  }

  private static void head(StringBuilder out, String style, List<String> head) {
    out.append("<div class=\"%s\"><table>\n<thead><tr>".formatted(style));
    head.forEach(h -> out.append("<th scope=\"col\">").append(escape(h)).append("</th>"));
    out.append("</tr></thead>\n");
  }

  private static List<String> escaped(List<String> cells) {
    return cells.stream().map(HtmlReport::escape).toList();
  }

  /** Appends a row of a table whose cells are HTML. */
  private static void line(StringBuilder out, List<String> cells, int names, boolean failed) {
    out.append(failed ? "<tr class=\"failed\">" : "<tr>");
    for (int i = 0; i < cells.size(); i++) {
      out.append(i < names ? "<td class=\"name\">" : "<td>").append(cells.get(i));
      out.append("</td>");
    }
    out.append("</tr>\n");
  }

  /**
   * Appends the figures by which to choose, the fastest row of each setting first. On narrow
   * screens each cell shows its head.
   */
  private static void figures(StringBuilder out, Tables.Section table, boolean complete) {
    List<String> parameters = table.groups().size() == 1 ? List.of() : table.parameters();
    List<String> head = new ArrayList<>(ShortReport.HEAD);
    head.addAll(1, parameters);
    head(out, "scroll figures", head);
    for (List<Row> group : table.blocks()) {
      out.append("<tbody>\n");
      group.stream()
          .sorted(Tables.FASTEST_FIRST)
          .forEach(row -> figures(out, head, parameters, row, complete));
      out.append("</tbody>\n");
    }
    out.append("</table></div>\n");
  }

  private static void figures(
      StringBuilder out, List<String> head, List<String> parameters, Row row, boolean complete) {
    List<String> cells = new ArrayList<>(escaped(ShortReport.cells(row, complete)));
    cells.set(0, method(row));
    List<String> values =
        parameters.stream()
            .map(name -> Cells.parameter(row.parameters().getOrDefault(name, Figures.NONE)))
            .toList();
    cells.addAll(1, escaped(values));
    // The filter of the page finds a row also by a setting that has no column here.
    out.append(
        "<tr%s data-setting=\"%s\">"
            .formatted(
                row.status() == Status.OK ? "" : " class=\"failed\"",
                escape(String.join(" ", row.parameters().values()))));
    for (int i = 0; i < cells.size(); i++) {
      out.append(
          "<td%s data-head=\"%s\">%s</td>"
              .formatted(
                  i <= parameters.size() ? " class=\"name\"" : "",
                  escape(head.get(i)),
                  cells.get(i)));
    }
    out.append("</tr>\n");
  }

  /** Appends all columns, in the order of the reference. */
  private static void table(StringBuilder out, Tables.Section table) {
    Cells cells = Cells.of(table);
    int names = 1 + table.parameters().size();
    head(out, "scroll", cells.head());
    for (List<Row> group : table.blocks()) {
      out.append("<tbody>\n");
      for (Row row : group) {
        List<String> line = new ArrayList<>(escaped(cells.row(row)));
        line.set(0, method(row));
        line(out, line, names, row.status() != Status.OK);
      }
      out.append("</tbody>\n");
    }
    out.append("</table></div>\n");
  }

  /** Returns the method of a row with its name for people below it. */
  static String method(Row row) {
    String name = row.name();
    return escape(row.method())
        + (name == null ? "" : "<small class=\"people\">" + escape(name) + "</small>");
  }

  static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }

  private static String resource(String name) {
    try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is not in the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(name + " of the jar cannot be read", e);
    }
  }
}
