package dev.ferry.cli.load;

import dev.ferry.load.LatencyPicture;
import dev.ferry.load.LoadReport;
import dev.ferry.load.MergedReport;
import dev.ferry.load.RateSearch;
import dev.ferry.load.WorkerFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A report as one HTML file that needs no network, with the tables of {@link LoadText} and a
 * picture. All latencies are in milliseconds.
 */
final class LoadPage {
  private LoadPage() {}

  static String of(LoadReport report, List<WorkerFolder.Second> seconds) {
    return page(
        LoadText.summary(report.all()),
        section("Latency over time", LatencyPicture.of(seconds))
            + section(
                "Operations", table(LoadText.operationRows(report.operations(), report.all())))
            + notes(LoadText.remarks(report)));
  }

  static String of(RateSearch.Result search) {
    return page(
        LoadText.summary(search),
        section("Latency over the rate", LatencyPicture.of(search))
            + section("Rates that were tried", table(LoadText.stepRows(search.steps())))
            + notes(search.notes()));
  }

  static String of(MergedReport report) {
    return page(
        LoadText.summary(report.all()),
        section("Operations", table(LoadText.operationRows(report.operations(), report.all())))
            + section("Workers", table(LoadText.workerRows(report)))
            + notes(LoadText.remarks(report)));
  }

  private static String page(String summary, String sections) {
    return """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>Ferry load</title>
        <style>
        %ssvg{max-width:960px;width:100%%;border-radius:8px}
        </style>
        </head>
        <body>
        <main>
        <h1>Ferry load</h1>
        <section class="advice"><ul><li>%s</li></ul></section>
        %s</main>
        </body>
        </html>
        """
        .formatted(style(), escape(summary), sections);
  }

  private static String section(String title, String content) {
    return "<section>\n<h2>" + escape(title) + "</h2>\n" + content + "</section>\n";
  }

  private static String notes(List<String> lines) {
    return lines.isEmpty()
        ? ""
        : section(
            "Notes",
            lines.stream()
                .map(line -> "<li>" + escape(line) + "</li>\n")
                .collect(Collectors.joining("", "<ul class=\"notes\">\n", "</ul>\n")));
  }

  private static String table(List<List<String>> rows) {
    StringBuilder out = new StringBuilder("<div class=\"scroll\"><table>\n<thead><tr>");
    rows.get(0)
        .forEach(head -> out.append("<th scope=\"col\">").append(escape(head)).append("</th>"));
    out.append("</tr></thead>\n<tbody>\n");
    for (List<String> row : rows.subList(1, rows.size())) {
      out.append("<tr>");
      for (int i = 0; i < row.size(); i++) {
        out.append(i == 0 ? "<td class=\"name\">" : "<td>").append(escape(row.get(i)));
        out.append("</td>");
      }
      out.append("</tr>\n");
    }
    return out.append("</tbody>\n</table></div>\n").toString();
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }

  private static String style() {
    try (InputStream in = LoadReport.class.getResourceAsStream("report.css")) {
      if (in == null) {
        throw new IllegalStateException("report.css is not in the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException("report.css of the jar cannot be read", e);
    }
  }
}
