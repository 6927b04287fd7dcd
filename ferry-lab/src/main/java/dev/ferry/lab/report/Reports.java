package dev.ferry.lab.report;

import dev.ferry.lab.model.RunDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes all reports of a run to its folder. */
public final class Reports {
  private static final String PAGE = "report.html";

  private Reports() {}

  /**
   * Writes {@code report.html} for a run that goes on. It loads itself again every ten seconds,
   * until it is overwritten by the page of the whole run.
   *
   * @return the page
   */
  public static Path writePage(Path folder, RunDocument soFar) throws IOException {
    Path page = folder.resolve(PAGE);
    RunJson.replace(page, HtmlReport.render(soFar, true));
    return page;
  }

  /**
   * Writes {@code report.md}, {@code report.html} and {@code report.svg}. Overwrites existing ones.
   */
  public static void write(Path folder, RunDocument run) throws IOException {
    Files.writeString(folder.resolve("report.md"), TextReport.markdown(run));
    // A browser may be loading it.
    RunJson.replace(folder.resolve(PAGE), HtmlReport.render(run, false));
    Files.writeString(folder.resolve("report.svg"), SvgReport.render(run));
  }
}
