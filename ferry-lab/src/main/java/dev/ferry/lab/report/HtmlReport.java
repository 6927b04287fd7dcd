package dev.ferry.lab.report;

import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.Status;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/** A run as one HTML file that needs no network: charts and their library are inside. */
final class HtmlReport {
  /** Where the jar of the charts keeps its one-file build; the version is the dependency's. */
  private static final String ECHARTS =
      "/META-INF/resources/_static/echarts/6.0.0/dist/echarts.min.js";

  private HtmlReport() {}

  static String render(RunDocument run) {
    List<Tables.Section> tables = Tables.of(run);
    return resource("report.html")
        .replace("{{INCOMPLETE}}", run.complete() ? "hidden" : "")
        .replace(
            "{{ENVIRONMENT}}",
            EnvironmentText.lines(run).stream()
                .map(l -> "<li>" + escape(l) + "</li>")
                .collect(Collectors.joining("\n")))
        .replace(
            "{{TABLES}}", tables.stream().map(HtmlReport::section).collect(Collectors.joining()))
        // A '<' in the data must not end the script; JSON knows it by its number as well.
        .replace("{{DATA}}", RunJson.text(run).replace("<", "\\u003c"))
        .replace("{{ECHARTS}}", resource(ECHARTS));
  }

  private static String section(Tables.Section table) {
    StringBuilder out = new StringBuilder();
    String attributes =
        "data-suite=\"%s\" data-table=\"%s\""
            .formatted(escape(table.suite()), escape(table.name()));
    out.append("<section ").append(attributes).append(">\n<h2>").append(escape(table.name()));
    out.append(" <small>").append(escape(table.suite())).append("</small></h2>\n");
    out.append("<p class=\"says\">").append(escape(Sentence.of(table))).append("</p>\n");
    Notes.flags(table)
        .forEach(l -> out.append("<p class=\"says\">").append(escape(l)).append("</p>\n"));
    Notes.troubles(table)
        .forEach(l -> out.append("<p class=\"failure\">").append(escape(l)).append("</p>\n"));
    out.append("<div class=\"metrics\" role=\"group\" aria-label=\"Figure to draw\"></div>\n");
    out.append(
        "<div class=\"chart\" role=\"img\" aria-label=\"Chart of the table below\"></div>\n");
    table(out, table);
    return out.append("</section>\n").toString();
  }

  private static void table(StringBuilder out, Tables.Section table) {
    Cells cells = Cells.of(table);
    int names = 1 + table.parameters().size();
    out.append("<div class=\"scroll\"><table>\n<thead><tr>");
    Cells.head(table)
        .forEach(h -> out.append("<th scope=\"col\">").append(escape(h)).append("</th>"));
    out.append("</tr></thead>\n");
    for (List<Row> group : table.groups()) {
      out.append("<tbody>\n");
      for (Row row : group) {
        out.append(row.status() == Status.OK ? "<tr>" : "<tr class=\"failed\">");
        List<String> line = cells.row(row);
        for (int i = 0; i < line.size(); i++) {
          out.append(i < names ? "<td class=\"name\">" : "<td>").append(escape(line.get(i)));
          out.append("</td>");
        }
        out.append("</tr>\n");
      }
      out.append("</tbody>\n");
    }
    out.append("</table></div>\n");
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
