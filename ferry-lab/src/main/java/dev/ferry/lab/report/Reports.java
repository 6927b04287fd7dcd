package dev.ferry.lab.report;

import dev.ferry.lab.model.RunDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes all reports of a run to its folder. */
public final class Reports {
  private Reports() {}

  /**
   * Writes {@code report.md}, {@code report.html} and {@code report.svg}. Overwrites existing ones.
   */
  public static void write(Path folder, RunDocument run) throws IOException {
    Files.writeString(folder.resolve("report.md"), TextReport.markdown(run));
    Files.writeString(folder.resolve("report.html"), HtmlReport.render(run));
    Files.writeString(folder.resolve("report.svg"), SvgReport.render(run));
  }
}
