package dev.ferry.lab.report;

import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.Status;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/** Renders a run as one HTML file that works offline: the charts and their library are embedded. */
public final class HtmlReport {
  /**
   * The path of the bundled build in the jar of the charts library. It contains the version of the
   * dependency.
   */
  private static final String ECHARTS =
      "/META-INF/resources/_static/echarts/6.0.0/dist/echarts.min.js";

  private static final String REFRESH = "<meta http-equiv=\"refresh\" content=\"10\">\n";

  private HtmlReport() {}

  /**
   * Renders a page.
   *
   * @param goesOn whether the run goes on, so that the page loads itself again every ten seconds,
   *     until it is overwritten
   */
  public static String render(RunDocument run, boolean goesOn) {
    List<Tables.Section> tables = Tables.of(run);
    return resource("report.html")
        .replace("{{REFRESH}}", goesOn ? REFRESH : "")
        .replace("{{STATE}}", state(run, goesOn))
        .replace(
            "{{PROFILED}}",
            EnvironmentText.profiled(run)
                .map(p -> "<p class=\"incomplete\">" + escape(p) + "</p>")
                .orElse(""))
        .replace(
            "{{ENVIRONMENT}}",
            EnvironmentText.lines(run).stream()
                .map(l -> "<li>" + escape(l) + "</li>")
                .collect(Collectors.joining("\n")))
        .replace("{{ADVICE}}", advice(run))
        .replace("{{VERDICTS}}", VerdictChart.render(run))
        .replace(
            "{{TABLES}}", tables.stream().map(HtmlReport::section).collect(Collectors.joining()))
        .replace("{{CEILINGS}}", ceilings(run))
        // Escapes '<' so that the data cannot end the script element. The JSON stays equivalent.
        .replace("{{DATA}}", RunJson.text(run).replace("<", "\\u003c"))
        .replace("{{ECHARTS}}", resource(ECHARTS));
  }

  private static String state(RunDocument run, boolean goesOn) {
    if (goesOn) {
      return "<p class=\"says\">This run goes on; the page loads itself again.</p>";
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

  private static String section(Tables.Section table) {
    StringBuilder out = new StringBuilder();
    String attributes =
        "data-suite=\"%s\" data-table=\"%s\""
            .formatted(escape(table.suite()), escape(table.name()));
    out.append("<section ").append(attributes).append(">\n<h2>").append(escape(table.name()));
    out.append(" <small>").append(escape(table.suite())).append("</small></h2>\n");
    for (Notes.Note note : Notes.of(table)) {
      out.append(note.trouble() ? "<p class=\"failure\">" : "<p class=\"says\">");
      out.append(escape(note.text())).append("</p>\n");
    }
    out.append("<div class=\"metrics\" role=\"group\" aria-label=\"Figure to draw\"></div>\n");
    out.append(
        "<div class=\"chart\" role=\"img\" aria-label=\"Chart of the table below\"></div>\n");
    table(out, table);
    return out.append(ForkDetails.render(table)).append("</section>\n").toString();
  }

  private static String ceilings(RunDocument run) {
    List<List<String>> lines = CeilingCells.lines(run);
    if (lines.isEmpty()) {
      return "";
    }
    StringBuilder out = new StringBuilder("<section>\n<h2>Ceilings</h2>\n");
    out.append("<p class=\"says\">How fast this machine does single parts of the work, measured");
    out.append(" in the same run.</p>\n");
    head(out, CeilingCells.HEAD);
    out.append("<tbody>\n");
    lines.forEach(line -> line(out, line, 1, line.contains("failed")));
    out.append("</tbody>\n</table></div>\n<ul class=\"notes\">\n");
    CeilingCells.notes(run).forEach(n -> out.append("<li>").append(escape(n)).append("</li>\n"));
    return out.append("</ul>\n</section>\n").toString();
  }

  private static void head(StringBuilder out, List<String> head) {
    out.append("<div class=\"scroll\"><table>\n<thead><tr>");
    head.forEach(h -> out.append("<th scope=\"col\">").append(escape(h)).append("</th>"));
    out.append("</tr></thead>\n");
  }

  private static void line(StringBuilder out, List<String> cells, int names, boolean failed) {
    out.append(failed ? "<tr class=\"failed\">" : "<tr>");
    for (int i = 0; i < cells.size(); i++) {
      out.append(i < names ? "<td class=\"name\">" : "<td>").append(escape(cells.get(i)));
      out.append("</td>");
    }
    out.append("</tr>\n");
  }

  private static void table(StringBuilder out, Tables.Section table) {
    Cells cells = Cells.of(table);
    int names = 1 + table.parameters().size();
    head(out, cells.head());
    for (List<Row> group : table.blocks()) {
      out.append("<tbody>\n");
      for (Row row : group) {
        line(out, cells.row(row), names, row.status() != Status.OK);
      }
      out.append("</tbody>\n");
    }
    out.append("</table></div>\n");
  }

  /** Returns the head of a row of a drawing: its method, and its setting if there are several. */
  static String rowHead(Row row, boolean withSetting) {
    return "<th scope=\"row\">%s%s</th>"
        .formatted(
            escape(row.method()),
            withSetting ? " <small>" + escape(Sentence.setting(row)) + "</small>" : "");
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
